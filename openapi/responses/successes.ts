import { capitalize } from '../../shared/resource/description/fields.ts';
import { isCustomAction } from '../../shared/resource/route.ts';
import { representations } from '../content.ts';
import { acceptedResponse, isDeferrable, isOfOperations } from '../deferral.ts';
import { type Response, ref, type Schema } from '../model.ts';
import { exampleItem, exampleList } from '../schemas/examples.ts';
import { schemaNames } from '../schemas/schemas.ts';
import { isFormTarget, isRelated, type Path, type Target } from '../targets.ts';
import { readBytes } from './bytes.ts';
import { type Names, PREFERRED, response, TO_VERSION } from './headers.ts';
import { linksOf } from './links.ts';
import { severalNames, takesSeveral } from './several.ts';

/** The input for a response, in addition to its target. */
export interface Surroundings {
  readonly paths: readonly Path[];
  readonly basePath: string;
}

const CACHED: Names = ['Cache-Control', 'ETag', 'Last-Modified', 'Vary'];
/** Additional header fields of HTML pages. */
const PAGE: Names = ['Content-Security-Policy', 'Referrer-Policy'];

/**
 * Returns the responses of successful requests, by status. Source: RFC 9110 §15.3, §15.4.5; Specification C.106 to
 * C.115.
 */
export function successes(target: Target, around: Surroundings): Record<string, Response> {
  const isLater = isDeferrable(target) || (target.method !== 'GET' && isOfOperations(target));
  return { ...atOnce(target, around), ...(isLater && { 202: acceptedResponse(target, around) }) };
}

function atOnce(target: Target, around: Surroundings): Record<string, Response> {
  const { method, endpoint } = target;
  if (endpoint.signsIn && endpoint.shape === undefined) return signInResponses(target);
  if (method === 'GET') return endpoint.shape === 'bytes' ? readBytes(target) : read(target, around);
  if (method === 'DELETE') return { 204: response('The service has removed it.', PREFERRED) };
  const replayed: Names = method === 'POST' || method === 'PATCH' ? ['Idempotency-Replayed'] : [];
  const state: Names = [...PAGE, ...CACHED, ...PREFERRED, ...replayed, 'Content-Location', 'Link'];
  const created = shown(
    target,
    around,
    'The service has created it. With `Prefer: return=minimal`, the response has no content.',
    [...state, 'Location'],
  );
  const sentOn = (isFormTarget(target) || endpoint.content === 'files') && { 303: SENT_ON };
  if (endpoint.content === 'items') return severalItems(target);
  if (endpoint.content === 'item' && endpoint.creates)
    return {
      201: takesSeveral(target) ? oneOrSeveral(target, created) : created,
      ...resultPerItem(target),
      ...sentOn,
    };
  if (endpoint.form === 'delete')
    return { 204: response('The service has removed it.', [...PREFERRED, ...replayed]), ...sentOn };
  if (endpoint.id === 'renew') return {};
  const isVersion = endpoint.takes === 'version' || endpoint.takes === 'fileVersion';
  const isCustom = isCustomAction(endpoint);
  if (endpoint.content === 'files') return { ...severalFiles(target), ...sentOn };
  return {
    ...((endpoint.content === 'bytes' || isCustom || isVersion) && { 201: created }),
    200: shown(target, around, 'The service has changed it. The response shows its new state.', state),
    204: response(
      isCustom
        ? 'The action is done. It has no result to show, or the request had `Prefer: return=minimal`.'
        : 'The service has changed it. The request had `Prefer: return=minimal`.',
      [...PREFERRED, ...replayed, 'ETag'],
    ),
    ...sentOn,
  };
}

/** Returns the responses of an endpoint that signs a person in or out. Source: RFC 6265 §3. */
const signInResponses = ({ method }: Target): Record<string, Response> => ({
  303: response('The browser continues at `Location`. `Set-Cookie` changes the cookies of the sign-in.', [
    'Cache-Control',
    'Location',
    'Referrer-Policy',
  ]),
  ...(method === 'POST' && {
    200: response(
      'The cookies are removed. A page leads the browser to the issuer, which ends its session.',
      [...PAGE, 'Cache-Control', 'Refresh'],
    ),
  }),
});

/** Returns the list of changed items. */
const written = (target: Target): Schema =>
  ref('schemas', severalNames(schemaNames(target.resource).list).written);

function oneOrSeveral(target: Target, created: Response): Response {
  const item = ref('schemas', schemaNames(target.resource).item);
  return { ...created, content: representations(target, { anyOf: [item, written(target)] }) };
}

const SEVERAL: Names = [...PAGE, ...PREFERRED, 'Cache-Control', 'Idempotency-Replayed', 'Link', 'Vary'];

/** Returns the response with one result for each item. */
function resultPerItem(target: Target): Record<string, Response> {
  if (!takesSeveral(target)) return {};
  const { results } = severalNames(schemaNames(target.resource).list);
  return {
    207: response(
      'With `Prefer: handling=lenient`: each item has its own status, and a failed item has a problem.',
      SEVERAL,
      { content: representations(target, ref('schemas', results)) },
    ),
  };
}

const severalItems = (target: Target): Record<string, Response> => ({
  200: response('The service has changed all items. The response shows their new state.', SEVERAL, {
    content: representations(target, written(target)),
  }),
  204: response('The service has changed all items.', PREFERRED),
  ...resultPerItem(target),
});

/** After a form, the service redirects a browser to the result. Source: RFC 9110 §15.4.4. */
const SENT_ON = response(
  'The request succeeded. A browser (`Accept` prefers text/html) continues at `Location`.',
  ['Cache-Control', 'Location', 'Idempotency-Replayed', ...PREFERRED],
);

function severalFiles(target: Target): Record<string, Response> {
  const headers: Names = [...SEVERAL, 'Location'];
  const results = { content: representations(target, ref('schemas', 'StoredFiles')) };
  return {
    201: response('The service has stored all files. At least one is new.', headers, results),
    200: response('The service has stored all files. Each replaced another.', headers, results),
    204: response('The service has stored all files. Each replaced another.', headers),
    207: response(
      'With `Prefer: handling=lenient`: each file has its own status, and a failed file has a problem.',
      headers,
      results,
    ),
  };
}

/** Returns a response with the item. */
function shown(
  target: Target,
  { paths, basePath }: Surroundings,
  description: string,
  headers: Names,
): Response {
  const { resource } = target;
  const schema = ref('schemas', schemaNames(resource).item);
  return response(description, headers, {
    content: representations(target, schema, exampleItem(resource, basePath)),
    links: linksOf(resource, paths, (identifier) => `$response.body#/${identifier}`),
  });
}

function read(target: Target, around: Surroundings): Record<string, Response> {
  const follows = target.endpoint.takes === 'changes';
  const waits: Names = follows ? ['Retry-After'] : [];
  const headers: Names = [...PAGE, ...CACHED, ...PREFERRED, 'Link', ...waits];
  const isStatus = isOfOperations(target) && target.endpoint.shape === 'item';
  const located: Names = isStatus ? ['Content-Location'] : locationOf(target);
  const unchanged = response('The client’s copy is current.', [...CACHED, ...located]);
  const past = target.endpoint.timeGate && { 302: TO_VERSION };
  if (!isStatus) return { 200: readState(target, around, headers), ...past, 304: unchanged };
  const shows = readState(target, around, [...headers, 'Content-Location', 'Refresh', 'Retry-After']);
  const created = readState(target, around, [...headers, 'Location']);
  return {
    200: shows,
    303: { ...created, description: 'The operation has created the resource at `Location`.' },
    304: unchanged,
  };
}

/** `Memento-Datetime` of a version; `Content-Location`, if an item of another resource represents the target. */
const locationOf = ({ resource, route, endpoint }: Target): Names =>
  endpoint.takes === 'version'
    ? ['Memento-Datetime']
    : endpoint.shape !== 'item' || route.path === `/${resource.name}/{id}`
      ? []
      : ['Content-Location'];

function readState(target: Target, around: Surroundings, headers: Names): Response {
  const { resource, route, endpoint } = target;
  const { paths, basePath } = around;
  switch (endpoint.shape) {
    case 'list':
      return response('A page of the list.', [...headers, 'Link-Template'], {
        content: representations(
          target,
          listSchema(target),
          exampleList(resource, exampleOf(route.path), basePath),
        ),
        links: linksOf(resource, paths, (identifier) => `$response.body#/items/0/${identifier}`),
      });
    case 'item':
      return shown(target, around, 'The current state.', [...headers, ...locationOf(target)]);
    case 'form':
      return response('The form. A wildcard in `Accept` selects HTML.', headers, {
        content: representations(target, ref('schemas', 'Form')),
      });
    default:
      return response('The document.', endpoint.id === 'home' ? [...headers, 'Link-Template'] : headers, {
        content: representations(target, ref('schemas', capitalize(endpoint.id))),
      });
  }
}

/** Returns the schema of a list. One below an item of another resource can contain the identifier of a missing item. */
function listSchema(target: Target): Schema {
  const { list, related } = schemaNames(target.resource);
  return ref('schemas', isRelated(target, target.route.path) ? related : list);
}

/** Returns an example path of this template. */
const exampleOf = (template: string): string => template.replace(/\{\w+\}/, '114811818447734');
