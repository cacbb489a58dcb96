import { formatEntityTag } from '../../http/conditional/entity-tag.ts';
import { formatHttpDate } from '../../http/conditional/http-date.ts';
import { ignoredField } from '../../http/fields/ignored-parameters.ts';
import { formatLinks, formatLinkTemplate } from '../../http/fields/link.ts';
import type { Response } from '../../http/response.ts';
import type { Document } from '../../representations/representation.ts';
import type { Bytes, Outcome, Shown } from '../../resource/actions/outcome.ts';
import { type LinkFact, OPENAPI } from '../../resource/link.ts';
import { listTemplate } from '../../resource/list-template.ts';
import type { Answerable } from '../exchange.ts';
import { acceptedResponse } from './accepted.ts';
import { bytesResponse } from './bytes-response.ts';
import {
  applyReturnPreference,
  cacheHeaders,
  contentLocation,
  pollingHeaders,
  validatorHeaders,
} from './cache-and-validators.ts';
import { documentOf, ignoredBy } from './document.ts';
import { severalResponse } from './several.ts';
import { validatorsOf } from './validators/validators.ts';

/** The response to a successful request, with the preferences that the service applied. Source: RFC 7240 §3. */
export async function respond(exchange: Answerable): Promise<Response> {
  const represented = represent(exchange);
  const response = represented instanceof Promise ? await represented : represented;
  if (exchange.applied.length === 0) return response;
  const { 'Preference-Applied': last, ...headers } = response.headers;
  const applied = last === undefined ? exchange.applied : [...exchange.applied, last];
  return { ...response, headers: { ...headers, 'Preference-Applied': applied.join(', ') } };
}

/** The response to a successful request. Source: RFC 9110 §15.3; Specification C.106 to C.115. */
function represent(exchange: Answerable): Response | Promise<Response> {
  const { outcome, request } = exchange;
  const { basePath } = request;
  switch (outcome.kind) {
    case 'done':
      return { status: 204, headers: { Vary: 'Accept, Prefer' } };
    case 'redirected':
      return {
        status: 303,
        headers: { Location: outcome.address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
        cookies: outcome.cookies,
      };
    case 'found': {
      const { state, seeOther, retryAfter } = outcome;
      if (state.kind === 'bytes') return storedResponse(exchange, state.bytes);
      if (seeOther !== undefined)
        return stateResponse(exchange, state, 303, { Location: basePath + seeOther });
      if (retryAfter !== undefined)
        return stateResponse(exchange, state, 200, pollingHeaders(exchange, retryAfter));
      const { location } = outcome;
      const named = location === undefined ? {} : contentLocation(location, basePath);
      const shown = () => stateResponse(exchange, state, 200, named);
      const minimal = { status: 204, headers: tagOf(exchange, outcome) };
      return exchange.isSafe ? shown() : applyReturnPreference(exchange, minimal, shown);
    }
    case 'created': {
      const Location = basePath + outcome.location;
      const minimal = { status: 201, headers: { Location, ...tagOf(exchange, outcome) } };
      return applyReturnPreference(exchange, minimal, () =>
        stateResponse(exchange, outcome.state, 201, { Location, ...own(outcome, Location) }),
      );
    }
    case 'accepted':
      return acceptedResponse(exchange, outcome);
    case 'several':
      return severalResponse(exchange, outcome);
    case 'replaced':
      return applyReturnPreference(exchange, { status: 204, headers: tagOf(exchange, outcome) }, () =>
        stateResponse(exchange, outcome.state, 200, own(outcome, basePath + outcome.location)),
      );
    default:
      throw new Error(`No response represents the outcome '${outcome.kind}'`);
  }
}

function storedResponse(exchange: Answerable, stored: Bytes): Response {
  if (!exchange.bytes) throw new Error('The step act has not read the bytes');
  return bytesResponse(exchange, stored, exchange.bytes, exchange.validators);
}

/**
 * The entity tag of stored bytes or of an item, for a response without content. After PUT of an item, a tag would say that
 * the service has stored exactly the content of the request. Source: RFC 9110 §9.3.4, §15.3.5; Specification 3.4.
 */
function tagOf(exchange: Answerable, outcome: Extract<Outcome, { state: unknown }>): Record<string, string> {
  if (exchange.preferences.get('return') !== 'minimal') return {};
  const { state } = outcome;
  const isExact = 'etag' in outcome || exchange.request.method !== 'PUT';
  const ofItem = isExact && state.kind === 'item' ? validatorsOf(exchange, state).etag : undefined;
  const tag = ('etag' in outcome ? outcome.etag : undefined) ?? ofItem;
  return tag ? { ETag: formatEntityTag(tag) } : {};
}

/**
 * `Content-Location` of a response that shows the new state. The response to a write of bytes shows their metadata
 * instead, and one with a notice shows more than GET, so they have no such field. Source: RFC 9110 §8.7.
 */
const own = (
  { etag, state }: Extract<Outcome, { kind: 'created' | 'replaced' }>,
  location: string,
): Record<string, string> => (etag || hasNotice(state) ? {} : { 'Content-Location': location });

/**
 * Registered relation types. A `Link` field carries only these. Source: RFC 8288 §2.1; IANA "Link Relation Types".
 */
const REGISTERED = new Set([
  'self',
  'item',
  'collection',
  'first',
  'prev',
  'next',
  'last',
  'related',
  'describedby',
  'service-desc',
  'service-doc',
  'api-catalog',
]);

/** True if a link is in the header fields too: its method is GET and its relation type is registered. */
const isHeaderLink = ({ rel, method = 'GET' }: LinkFact): boolean => method === 'GET' && REGISTERED.has(rel);

function render(exchange: Answerable, state: Shown): { document: Document; text: string | Promise<string> } {
  const document = documentOf(exchange, state);
  return { document, text: exchange.representation.write(document, exchange) };
}

/** The template of a list, which states its filters. Source: Specification 4.25; RFC 9652. */
const templateOf = (
  { request, resource, sight, isSafe }: Answerable,
  { kind }: Shown,
): Record<string, string> =>
  kind === 'list' && sight && isSafe
    ? {
        'Link-Template': formatLinkTemplate({
          template: request.basePath + listTemplate(resource, request.path, sight),
          rel: 'search',
        }),
      }
    : {};

/** A browser that goes back must fetch forms again, because each is valid for one submission. */
const NO_STORE = { 'Cache-Control': 'no-store', Vary: 'Accept, Prefer' };

/** True if this response alone shows something, so that no cache may keep it. */
const hasNotice = (state: Shown): boolean => state.kind === 'item' && state.notice !== undefined;

function stateResponse(
  exchange: Answerable,
  state: Shown,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response | Promise<Response> {
  const { representation, outcome } = exchange;
  const read = outcome.kind === 'found' && exchange.state === state;
  // Look-up may have rendered the list or the document already.
  const { document, text } = (read ? exchange.rendered : undefined) ?? render(exchange, state);
  const stored = 'etag' in outcome ? outcome.etag : undefined;
  const rendered = typeof text === 'string' ? { document, text } : undefined;
  const validators = stored
    ? { etag: stored }
    : read
      ? exchange.validators
      : validatorsOf(exchange, state, rendered);
  const links = [
    ...(document.links ?? []).filter(isHeaderLink),
    ...(document.history ?? []),
    ...(state.kind === 'document'
      ? []
      : [{ rel: 'service-desc', href: exchange.request.basePath + OPENAPI }]),
  ];
  const response = {
    status,
    cookies: state.kind === 'document' ? state.cookies : undefined,
    headers: {
      'Content-Type': representation.contentType,
      ...(state.kind === 'document' ? state.headers : undefined),
      ...((representation.carriesForms && state.kind !== 'document') || hasNotice(state)
        ? NO_STORE
        : cacheHeaders(exchange, state, exchange.expansions)),
      ...validatorHeaders(exchange.request, validators),
      ...(links.length > 0 ? { Link: formatLinks(links) } : {}),
      ...templateOf(exchange, state),
      ...(state.kind === 'item' ? undefined : ignoredField(ignoredBy(exchange, state))),
      ...(state.kind === 'item' && state.memento
        ? { 'Memento-Datetime': formatHttpDate(state.item.updatedAt) }
        : undefined),
      ...representation.headers,
      ...headers,
    },
  };
  return text instanceof Promise ? text.then((body) => ({ ...response, body })) : { ...response, body: text };
}
