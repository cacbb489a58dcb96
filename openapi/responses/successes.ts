import { capitalize } from '../../shared/resource/description/fields.ts';
import { isCustomAction } from '../../shared/resource/route.ts';
import { representations } from '../content.ts';
import { acceptedResponse, isDeferrable, isOfOperations } from '../deferral.ts';
import { type Response, ref, type Schema } from '../model.ts';
import { schemaNames } from '../schemas/schemas.ts';
import { isRelated, type Target } from '../targets.ts';
import { readBytes } from './bytes.ts';
import { type Names, response, TO_VERSION } from './headers.ts';
import { severalNames, takesSeveral } from './several.ts';

const CACHED: Names = ['ETag', 'Last-Modified'];

/**
 * Returns the responses of successful requests, by status. Source: RFC 9110 §15.3, §15.4.5; Specification C.106 to
 * C.115.
 */
export function successes(target: Target): Record<string, Response> {
  const isLater = isDeferrable(target) || (target.method !== 'GET' && isOfOperations(target));
  return {
    ...(target.endpoint.isLong ? {} : atOnce(target)),
    ...(isLater && { 202: acceptedResponse(target) }),
  };
}

function atOnce(target: Target): Record<string, Response> {
  const { method, endpoint } = target;
  if (endpoint.signsIn && endpoint.shape === undefined) return signInResponses(target);
  if (method === 'GET') return endpoint.shape === 'bytes' ? readBytes(target) : read(target);
  if (method === 'DELETE') return { 204: response('The service has removed it.', []) };
  const replayed: Names = method === 'POST' || method === 'PATCH' ? ['Idempotency-Replayed'] : [];
  const state: Names = [...CACHED, ...replayed, 'Content-Location', 'Link'];
  const created = shown(
    target,
    'The service has created it. With `Prefer: return=minimal`, the response has no content.',
    [...state, 'Location'],
  );
  if (endpoint.content === 'items') return severalItems(target);
  if (endpoint.content === 'item' && endpoint.creates)
    return { 201: takesSeveral(target) ? oneOrSeveral(target, created) : created, ...resultPerItem(target) };
  if (endpoint.id === 'renew') return {};
  const isVersion = endpoint.takes === 'version' || endpoint.takes === 'fileVersion';
  const isCustom = isCustomAction(endpoint);
  if (endpoint.content === 'files') return severalFiles(target);
  return {
    ...((endpoint.content === 'bytes' || isCustom || isVersion) && { 201: created }),
    200: shown(target, 'The service has changed it. The response shows its new state.', state),
    204: response(
      isCustom
        ? 'The action is done. It has no result to show, or the request had `Prefer: return=minimal`.'
        : 'The service has changed it. The request had `Prefer: return=minimal`.',
      [...replayed, 'ETag'],
    ),
  };
}

/** Returns the responses of an endpoint that signs a person in or out. Source: RFC 6265 §3. */
const signInResponses = ({ method }: Target): Record<string, Response> => ({
  303: response('The browser continues at `Location`. `Set-Cookie` changes the cookies of the sign-in.', [
    'Location',
  ]),
  ...(method === 'POST' && {
    200: response(
      'The cookies are removed. A page leads the browser to the issuer, which ends its session.',
      [],
    ),
  }),
});

/** Returns the names of the schemas of several items. */
const names = ({ resource }: Target) => severalNames(schemaNames(resource));

const oneOrSeveral = (target: Target, created: Response): Response => ({
  ...created,
  content: representations(target, ref('schemas', names(target).created)),
});

const SEVERAL: Names = ['Idempotency-Replayed', 'Link'];

/** Returns the response with one result for each item. */
const resultPerItem = (target: Target): Record<string, Response> =>
  takesSeveral(target)
    ? {
        207: response(
          'With `Prefer: handling=lenient`: each item has its own status, and a failed item has a problem.',
          SEVERAL,
          { content: representations(target, ref('schemas', names(target).results)) },
        ),
      }
    : {};

const severalItems = (target: Target): Record<string, Response> => ({
  200: response('The service has changed all items. The response shows their new state.', SEVERAL, {
    content: representations(target, ref('schemas', names(target).written)),
  }),
  204: response('The service has changed all items.', []),
  ...resultPerItem(target),
});

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
const shown = (target: Target, description: string, headers: Names): Response =>
  response(description, headers, {
    content: representations(target, ref('schemas', schemaNames(target.resource).item)),
  });

function read(target: Target): Record<string, Response> {
  const follows = target.endpoint.takes === 'changes';
  const waits: Names = follows ? ['Retry-After'] : [];
  const headers: Names = [...CACHED, 'Link', ...waits];
  const isStatus = isOfOperations(target) && target.endpoint.shape === 'item';
  const located: Names = isStatus ? ['Content-Location'] : locationOf(target);
  const unchanged = response('The client’s copy is current.', [...CACHED, ...located]);
  const past = target.endpoint.timeGate && { 302: TO_VERSION };
  if (!isStatus) return { 200: readState(target, headers), ...past, 304: unchanged };
  return {
    200: readState(target, [...headers, 'Content-Location', 'Retry-After']),
    303: {
      ...readState(target, [...headers, 'Location']),
      description: 'The operation has created the resource at `Location`.',
    },
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

function readState(target: Target, headers: Names): Response {
  const { endpoint } = target;
  if (endpoint.shape === 'item')
    return shown(target, 'The current state.', [...headers, ...locationOf(target)]);
  if (endpoint.shape === 'list')
    return response('A page of the list.', [...headers, 'Ignored-Parameters', 'Link-Template'], {
      content: representations(target, listSchema(target)),
    });
  return response('The document.', endpoint.id === 'home' ? [...headers, 'Link-Template'] : headers, {
    content: representations(target, ref('schemas', capitalize(endpoint.id))),
  });
}

/** Returns the schema of a list. One below an item of another resource can contain the identifier of a missing item. */
function listSchema(target: Target): Schema {
  const { list, related } = schemaNames(target.resource);
  return ref('schemas', isRelated(target, target.route.path) ? related : list);
}
