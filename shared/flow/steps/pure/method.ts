import { pairsOf, plainPath, withQuery } from '../../../http/paths.ts';
import { METHODS, otherSpellingOf, type Request, SAFE_METHODS } from '../../../http/request.ts';
import { withBasePath } from '../../../representations/item.ts';
import { isOpenName } from '../../../resource/description/description.ts';
import { allow, type Endpoint, isCollection, type Route } from '../../../resource/route.ts';
import { type Ending, endWith, refuse, refuseMissing } from '../../ending.ts';
import type { Received, Targeted } from '../../exchange.ts';
import { optionsHeaders } from '../../request/accepted-formats.ts';
import { notAlone } from '../../selection/parameters.ts';
import { step } from '../../step.ts';

const INTEGER = /^(?:0|[1-9][0-9]{0,15})$/;

/**
 * Finds the route and the endpoint, and reads the path parameters. It checks the method first: the service reads
 * no storage for a method that the resource does not have.
 *
 * Source: RFC 9110 §9.1, §15.5.6, §15.6.2.
 */
export const method = step<Received, Targeted>()('method', [204, 308, 400, 404, 405, 501], (exchange) => {
  const { request, resource } = exchange;
  if (!METHODS.has(request.method))
    return refuse('not-implemented', `The method ${request.method} is unknown here`);
  if (request.headers['x-http-method-override'] !== undefined) {
    return refuse('malformed-request', 'X-HTTP-Method-Override is not supported: send the method itself', {
      errors: [{ header: 'X-HTTP-Method-Override', detail: 'is not supported' }],
    });
  }
  const routes = resource.routes.filter(({ path }) => path === request.template);
  const whole = routes.find(({ binary }) => binary === undefined);
  if (request.path.length > 1 && request.path.endsWith('/') && request.method !== 'OPTIONS')
    return withoutSlash(request, whole);
  if (!whole) {
    // A gateway may match its templates with the encoded path.
    const plain = plainPath(request.path);
    if (plain !== request.path) return redirectTo(request, plain);
    return withSuggestions(exchange);
  }
  const chosen = chosenBinary(routes, request, resource);
  if (chosen.kind === 'ending') return chosen;
  const { binary, route = whole } = chosen;
  if (request.method === 'OPTIONS') return endWith(204, optionsHeaders(resource, route));
  const endpoints: Readonly<Partial<Record<string, Endpoint>>> = route.endpoints;
  // The response to HEAD has the header fields of GET, also its Content-Length. Source: RFC 9110 §9.3.2.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = endpoints[method];
  if (!endpoint) {
    const target = route.binary ? `${request.path}?fields=${binary}` : request.path;
    return refuse(
      'method-not-allowed',
      `${method} is not a method of ${target}. Use one of ${allow(route)}`,
      { headers: { Allow: allow(route) } },
    );
  }
  return targetOf(exchange, route, endpoint, binary);
});

/** The 404 of an unknown path, with the links that the resource suggests. */
async function withSuggestions({ request, resource }: Received): Promise<Ending<404>> {
  const links = (await resource.suggestions?.(request.path)) ?? [];
  return refuse(
    'not-found',
    links.length > 0
      ? 'Nothing is at this path. Perhaps you mean a path in links'
      : 'Nothing is at this path. Follow links from the home document',
    links.length > 0 ? { members: { links: withBasePath(links, request.basePath) } } : {},
  );
}

/**
 * Redirects a path with a trailing slash. DELETE and PUT do not reach a collection this way: the client may have
 * left out an id, and would remove or replace all items. A path with several slashes has no route here.
 *
 * Source: Specification 1.18.
 */
function withoutSlash(request: Request, route: Route | undefined): Ending<308 | 404> {
  const { method, path } = request;
  const mayBeCollection = (route && isCollection(route)) || path.endsWith('//');
  if ((method === 'DELETE' || method === 'PUT') && mayBeCollection)
    return refuse('not-found', 'An id is missing at the end of the path. Add the id of an item');
  return redirectTo(request, path);
}

/** Redirects the request to another path, without a slash at its end. Source: RFC 9110 §15.4.9. */
function redirectTo({ basePath, query }: Pick<Request, 'basePath' | 'query'>, path: string): Ending<308> {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  const target = `${basePath}${path.slice(0, end)}` || '/';
  // A path that began with two slashes would name another host; browsers take a backslash for a slash.
  const location = target.replace(/^[/\\]{2,}/, '/').replaceAll('\\', '%5C');
  return endWith(308, { Location: withQuery(location, pairsOf(query)) });
}

/**
 * The binary property that `fields` may select, and the route that serves its bytes. Without a route, look-up decides
 * whether the name is that of a binary property.
 */
interface Chosen {
  readonly kind: 'chosen';
  readonly binary: string | undefined;
  readonly route?: Route | undefined;
}

const NONE: Chosen = { kind: 'chosen', binary: undefined };

/** Methods for which an undeclared name can only be that of a binary property. */
const ON_BYTES: ReadonlySet<string> = new Set(['PUT', 'DELETE']);

/**
 * The binary property that `fields` names alone. To read an undeclared one, the service first reads its item, because
 * `fields` can also select another property.
 *
 * Source: Specification 4.20, D.5.
 */
function chosenBinary(
  routes: readonly Route[],
  { query, method }: Request,
  { description }: Received['resource'],
): Chosen | Ending<400> {
  if (routes.length === 1) return NONE;
  const wanted = (query.get('fields') ?? []).flatMap((value) => value.split(','));
  for (const binary of wanted) {
    const route = routes.find((one) => one.binary?.kind === 'declared' && one.binary.name === binary);
    if (route) return wanted.length === 1 ? { kind: 'chosen', binary, route } : notAlone(binary);
  }
  const undeclared = routes.find(({ binary }) => binary?.kind === 'undeclared');
  const [binary, ...others] = wanted;
  if (!undeclared || !description || binary === undefined || others.length > 0) return NONE;
  if (!isOpenName(description, binary)) return NONE;
  if (!ON_BYTES.has(method)) return { kind: 'chosen', binary };
  // A misspelt name must not create a property.
  return otherSpellingOf(binary, Object.keys(description.fields))
    ? NONE
    : { kind: 'chosen', binary, route: undeclared };
}

/** Reads the path parameters. An id that is not an integer gets 404. */
function targetOf(
  { request, resource }: Received,
  route: Route,
  endpoint: Endpoint,
  binary: string | undefined,
): Targeted | Ending<400 | 404> {
  const { identifier } = resource.description ?? {};
  let id: number | undefined;
  let name: string | undefined;
  const others: Record<string, string> = {};
  for (const [parameter, value] of Object.entries(request.parameters)) {
    if (value === undefined)
      return refuse(
        'malformed-request',
        'The path is not validly percent-encoded. Send %25 for a percent sign',
      );
    if (parameter === 'id') {
      id = Number(value);
      if (!INTEGER.test(value) || !Number.isSafeInteger(id)) return refuseMissing(request);
    } else if (parameter === identifier?.name) {
      const fault = identifier.faultOf?.(value);
      if (fault) return refuse('validation-error', `The name in the path ${fault}. Choose another name`);
      name = value;
    } else others[parameter] = value;
  }
  return {
    route,
    endpoint,
    isSafe: SAFE_METHODS.has(request.method),
    parameters: { id, name, others },
    binary,
  };
}
