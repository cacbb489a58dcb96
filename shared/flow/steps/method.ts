import { isKnownMethod } from '../../http/method.ts';
import { plainPath } from '../../http/plain-path.ts';
import type { Request } from '../../http/request.ts';
import { prefixed } from '../../representations/item.ts';
import { allow, type Endpoint, type Route, type RouteMethod } from '../../resource/route.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { optionsHeaders } from '../request/accepted-formats.ts';
import { step } from '../step.ts';

const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * Finds the route and the endpoint, and reads the path parameters. It checks the method first: the service reads
 * no storage for a method that the resource does not have.
 *
 * Source: RFC 9110 §9.1, §15.5.6, §15.6.2.
 */
export const method = step('method', [204, 308, 400, 404, 405, 501], (exchange) => {
  const { request, resource } = exchange;
  if (!isKnownMethod(request.method))
    return refuse('not-implemented', `The method ${request.method} is unknown here`);
  if (request.headers['x-http-method-override'] !== undefined) {
    return refuse('malformed-body', 'X-HTTP-Method-Override is not supported: send the method itself', {
      errors: [{ header: 'X-HTTP-Method-Override', detail: 'is not supported' }],
    });
  }
  if (request.path.length > 1 && request.path.endsWith('/')) return withoutSlash(request);

  const routes = resource.routes.filter(({ path }) => path === request.template);
  if (routes.length === 0) {
    // A gateway may match its templates with the encoded path.
    const plain = plainPath(request.path);
    if (plain !== request.path) return redirectTo(request, plain);
    const links = resource.suggestions?.(request.path) ?? [];
    return refuse(
      'not-found',
      'Nothing is at this path',
      links.length > 0 ? { members: { links: prefixed(links, request.basePath) } } : {},
    );
  }
  const chosen = choose(routes, request);
  if ('status' in chosen) return chosen;
  exchange.route = chosen;
  if (request.method === 'OPTIONS') return { status: 204, headers: optionsHeaders(resource, chosen) };
  const operation = endpointOf(chosen, request.method);
  if (!operation) {
    return refuse('method-not-allowed', `${request.method} is not a method of ${request.path}`, {
      headers: { Allow: allow(chosen) },
    });
  }
  exchange.operation = operation;
  return name(exchange);
});

const endpointOf = (route: Route, method: string): Endpoint | undefined =>
  route.endpoints[(method === 'HEAD' ? 'GET' : method) as RouteMethod];

/**
 * A path with a trailing slash is not a resource. The service redirects GET and HEAD. It does not guess the target
 * of a write.
 */
function withoutSlash(request: Request): Ending<308 | 404> {
  const { method, path } = request;
  if (method !== 'GET' && method !== 'HEAD')
    return refuse('not-found', 'No path of this service ends with a slash');
  return redirectTo(request, path);
}

/** Redirects the request to another path, without a slash at its end. Source: RFC 9110 §15.4.9. */
function redirectTo({ basePath, query }: Pick<Request, 'basePath' | 'query'>, path: string): Ending<308> {
  const search = new URLSearchParams(
    [...query].flatMap(([name, values]) => values.map((value): [string, string] => [name, value])),
  );
  const target = `${basePath}${path.replace(/\/+$/, '')}` || '/';
  // A path that began with two slashes would name another host; browsers take a backslash for a slash.
  const location = target.replace(/^[/\\]{2,}/, '/').replaceAll('\\', '%5C');
  return { status: 308, headers: { Location: search.size > 0 ? `${location}?${search}` : location } };
}

/** Selects the route of a binary property if `fields` names it alone. */
function choose(routes: readonly Route[], { query }: Request): Route | Ending<400> {
  const whole = routes.find(({ part }) => part === undefined) as Route;
  if (routes.length === 1) return whole;
  const wanted = (query.get('fields') ?? []).flatMap((value) => value.split(','));
  const part = routes.find((route) => route.part !== undefined && wanted.includes(route.part));
  if (!part) return whole;
  if (wanted.length === 1) return part;
  return refuse('validation-error', `${part.part} is binary: request it without other fields`, {
    errors: [{ parameter: 'fields', detail: `must be ${part.part} alone` }],
  });
}

/** Reads the path parameters. An id that is not an integer gets 404. */
function name(exchange: Exchange): Ending<400 | 404> | undefined {
  const { request, resource } = exchange;
  const { identifier } = resource.description ?? {};
  let id: number | undefined;
  let chosenName: string | undefined;
  const others: Record<string, string> = {};
  for (const [parameter, value] of Object.entries(request.parameters)) {
    if (value === undefined) return refuse('malformed-body', 'The path is not validly percent-encoded');
    if (parameter === 'id') {
      id = Number(value);
      if (!INTEGER.test(value) || !Number.isSafeInteger(id))
        return refuse('not-found', `There is no ${request.path}`);
    } else if (parameter === identifier?.name) {
      const fault = identifier.faultOf?.(value);
      if (fault) return refuse('validation-error', `The name in the path ${fault}`);
      chosenName = value;
    } else others[parameter] = value;
  }
  exchange.parameters = { id, name: chosenName, others };
  return undefined;
}
