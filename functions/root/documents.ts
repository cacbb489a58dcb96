import { TITLE } from '#about';
import { PROBLEMS, type ProblemName } from '../../shared/http/problem.ts';
import type { Action } from '../../shared/resource/actions/action.ts';
import { found, missing, type Outcome } from '../../shared/resource/actions/outcome.ts';
import { API_CATALOG, DOCUMENTATION, type LinkFact, OPENAPI } from '../../shared/resource/link.ts';
import { ADVICE } from './advice.ts';

/** What the home document shows of all resources. */
export interface Paths {
  /** The path templates that GET can read. */
  readonly paths: readonly string[];
  /** Links to the collections with their filters, to forms, to documents, and to new upload links. */
  readonly links: readonly LinkFact[];
}

/** Returns the home document, with a link to each collection, form and document. Source: Specification 12.4. */
export const home = ({ links }: Paths): Outcome =>
  found({
    kind: 'document',
    name: 'home',
    members: { title: TITLE },
    links: [
      { rel: 'self', href: '/' },
      ...links,
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

/** Returns the meaning and the remedy of a problem type. Source: RFC 9457 §4.2. */
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
export function suggestions(path: string, { paths }: Paths): LinkFact[] {
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
