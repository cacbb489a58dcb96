import { PROBLEMS, type ProblemName } from '../../shared/http/problem.ts';
import type { Action } from '../../shared/resource/action.ts';
import { API_CATALOG, DOCUMENTATION, OPENAPI } from '../../shared/resource/discovery.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { found, missing } from '../../shared/resource/outcome.ts';
import { ADVICE } from './advice.ts';
import { COLLECTIONS, PATHS } from './paths.generated.ts';

/** What the service is. */
export const TITLE = 'A resource-oriented HTTP API';

/** The home document: a link to everything there is to start from. */
export const home: Action = () =>
  found({
    kind: 'document',
    name: 'home',
    members: { title: TITLE },
    links: [
      { rel: 'self', href: '/' },
      ...COLLECTIONS.map(({ rel, href, title }) => ({ rel, href, title })),
      { rel: 'health', href: '/health', title: 'Health' },
      { rel: 'service-desc', href: OPENAPI, types: ['application/json'], title: 'OpenAPI description' },
      { rel: 'service-doc', href: DOCUMENTATION, types: ['text/html'], title: 'API documentation' },
      { rel: 'api-catalog', href: API_CATALOG, types: ['application/linkset+json'], title: 'API catalog' },
    ],
  });

/** Whether the service answers. It asks no engine: a probe must not cost a read. */
export const health: Action = () =>
  found({
    kind: 'document',
    name: 'health',
    members: { status: 'pass' },
    headers: { 'Cache-Control': 'no-store' },
  });

/** What a problem type means and what to do about it. Source: RFC 9457 §4.2. */
export const problemType: Action = ({ parameters }) => {
  const name = String(parameters.type);
  if (!Object.hasOwn(PROBLEMS, name)) return missing(`There is no problem type ${name.slice(0, 64)}`);
  const { status, title } = PROBLEMS[name as ProblemName];
  return found({
    kind: 'document',
    name: 'problemType',
    members: { name, title, status, ...ADVICE[name as ProblemName] },
    headers: { 'Cache-Control': 'public, max-age=3600' },
  });
};

/** A path that chains several levels ends in a shorter one that may be what was meant. */
export function suggestions(path: string): LinkFact[] {
  const segments = path.split('/').slice(1);
  for (let from = 1; from < segments.length; from += 1) {
    const tail = segments.slice(from);
    if (PATHS.some((template) => fits(template.split('/').slice(1), tail))) {
      return [{ rel: 'related', href: `/${tail.join('/')}` }];
    }
  }
  return [];
}

/** Whether segments match a template with at least one parameter: a bare collection is no hint. */
const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.length > 1 &&
  template.every((part, at) =>
    part.startsWith('{') ? /^[0-9]+$/.test(segments[at] ?? '') : part === segments[at],
  );
