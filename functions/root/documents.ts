import { TITLE } from '#about';
import { PROBLEMS, type ProblemName } from '../../shared/http/problem.ts';
import type { Action } from '../../shared/resource/actions/action.ts';
import { found, missing } from '../../shared/resource/actions/outcome.ts';
import { API_CATALOG, DOCUMENTATION, OPENAPI } from '../../shared/resource/discovery.ts';
import type { LinkFact } from '../../shared/resource/link.ts';
import { ADVICE } from './advice.ts';

/** Loads the facts of all resources, because their definitions also load this file. */
const load = async () => (await import('#service')).PATHS;

/** The home document, with a link to each collection, form and document. Source: Specification 12.4. */
export const home: Action = async () =>
  found({
    kind: 'document',
    name: 'home',
    members: { title: TITLE },
    links: [
      { rel: 'self', href: '/' },
      ...(await load()).links,
      { rel: 'health', href: '/health', title: 'Health', description: 'Shows that the service runs.' },
      {
        rel: 'service-desc',
        href: OPENAPI,
        types: ['application/json'],
        title: 'OpenAPI description',
        description: 'Describes every request and response for programs.',
      },
      {
        rel: 'service-doc',
        href: DOCUMENTATION,
        types: ['text/html'],
        title: 'API documentation',
        description: 'Shows the OpenAPI description as a page.',
      },
      {
        rel: 'api-catalog',
        href: API_CATALOG,
        types: ['application/linkset+json'],
        title: 'API catalog',
        description: 'Lists the collections and documents of the service for programs.',
      },
    ],
  });

/** The meaning and the remedy of a problem type. Source: RFC 9457 §4.2. */
export const problemType: Action = ({ parameters }) => {
  const { type: name = '' } = parameters;
  if (!Object.hasOwn(PROBLEMS, name)) return missing(`There is no problem type ${name.slice(0, 64)}`);
  const { status, title } = PROBLEMS[name as ProblemName];
  return found({
    kind: 'document',
    name: 'problemType',
    members: { name, title, status, ...ADVICE[name as ProblemName] },
    headers: { 'Cache-Control': 'public, max-age=3600' },
  });
};

/** Links for the 404 of a path of several levels: the path at its end, if a route matches it. */
export async function suggestions(path: string): Promise<LinkFact[]> {
  const { paths } = await load();
  const segments = path.split('/').slice(1);
  for (let from = 1; from < segments.length; from += 1) {
    const tail = segments.slice(from);
    if (paths.some((template) => fits(template.split('/').slice(1), tail))) {
      return [{ rel: 'related', href: `/${tail.join('/')}` }];
    }
  }
  return [];
}

/** Whether the segments match a template of two segments or more. The path of a collection alone does not help. */
const fits = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.length > 1 &&
  template.every((part, at) =>
    part.startsWith('{') ? /^[0-9]+$/.test(segments[at] ?? '') : part === segments[at],
  );
