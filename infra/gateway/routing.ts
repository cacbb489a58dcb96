import { PROXY } from '../../service/derived/scopes.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { addressOf, type Route as RouteOfResource } from '../../shared/resource/route.ts';

/** A path template of the API and the resource whose function serves it. */
export interface Route {
  readonly template: string;
  readonly resource: string;
  /** True if requests need no credentials even when the API requires them elsewhere. */
  readonly isOpen: boolean;
}

export interface Match extends Route {
  /** Path parameters as API Gateway passes them: still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns every path of the API, in the registry's order, also those of binary properties. The root function gets every path
 * that matches no template.
 */
export const routesOf = (registry: readonly Resource[]): Route[] => [
  ...registry.flatMap(({ name, routes }) =>
    [...new Map(routes.flatMap(templatesOf))].map(([template, isOpen]) => ({
      template,
      resource: name,
      isOpen,
    })),
  ),
  { template: PROXY, resource: 'root', isOpen: false },
];

/** Returns the path of a route, and the path that it has alone, with true if it needs no credentials. */
const templatesOf = (route: RouteOfResource): [string, boolean][] =>
  [route.path, addressOf(route)].map((path) => [path, route.access === 'open']);

/**
 * Returns the number of resources that an API with these paths has: one for each beginning of a path.
 * Source: API Gateway Developer Guide, "Set up API resources".
 */
export const countResources = (routes: readonly Route[]): number =>
  new Set(
    routes.flatMap(({ template }) =>
      template.split('/').map((_, at, segments) => segments.slice(0, at + 1).join('/')),
    ),
  ).size;

const segmentsOf = (path: string) => path.split('/').slice(1);

/**
 * Returns a function that finds the route of a raw path. It ignores a trailing slash. A literal segment has precedence
 * over a parameter.
 *
 * Source: API Gateway Developer Guide, "Set up a proxy resource"; LocalStack's router, checked against AWS.
 */
export function router(routes: readonly Route[]): (path: string) => Match {
  const proxy = routes.find(({ template }) => template === PROXY) as Route;
  const others = routes
    .filter((route) => route !== proxy)
    .map((route) => ({ route, template: segmentsOf(route.template) }));
  return (path) => {
    const segments = segmentsOf(path.length > 1 ? path.replace(/\/$/, '') : path);
    let best: { route: Route; template: readonly string[]; literals: string } | undefined;
    for (const { route, template } of others) {
      const literals = literalsOf(template, segments);
      if (literals !== undefined && (best === undefined || literals > best.literals))
        best = { route, template, literals };
    }
    if (!best) return { ...proxy, parameters: { proxy: path.slice(1) } };
    const parameters: Record<string, string> = {};
    best.template.forEach((part, at) => {
      if (part.startsWith('{')) parameters[part.slice(1, -1)] = segments[at] ?? '';
    });
    return { ...best.route, parameters };
  };
}

/**
 * One digit for each segment: 1 for a literal, 0 for a parameter. The greater text is the closer match. Returns
 * undefined if the template does not match.
 */
function literalsOf(template: readonly string[], segments: readonly string[]): string | undefined {
  if (template.length !== segments.length) return undefined;
  let literals = '';
  for (let at = 0; at < template.length; at += 1) {
    const [part = '', segment = ''] = [template[at], segments[at]];
    if (part.startsWith('{')) {
      if (segment === '') return undefined;
      literals += '0';
    } else if (part === segment) literals += '1';
    else return undefined;
  }
  return literals;
}
