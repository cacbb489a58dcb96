import { formatLinks } from '../http/link.ts';
import { contentRange } from '../http/range.ts';
import type { Response } from '../http/response.ts';
import type { LinkFact } from '../resource/link.ts';
import type { Bytes, Outcome, State } from '../resource/outcome.ts';
import { cacheHeaders } from './cache-headers.ts';
import { documentOf } from './document.ts';
import type { Exchange } from './exchange.ts';
import { validatorHeaders } from './validator-headers.ts';
import { validatorsOf } from './validators.ts';

/** The response to a request that went well. Source: RFC 9110 §15.3; conventions, "Success status codes". */
export function represent(exchange: Exchange): Response {
  const outcome = exchange.outcome as Exclude<Outcome, { kind: 'missing' | 'stale' | 'refused' | 'beyond' }>;
  const { basePath } = exchange.request;
  switch (outcome.kind) {
    case 'done':
      return { status: 204, headers: {} };
    case 'found':
      if (outcome.state.kind === 'bytes') return bytesResponse(exchange, outcome.state.bytes);
      return stateResponse(exchange, outcome.state, 200, location(outcome.location, basePath));
    case 'created': {
      const Location = basePath + outcome.location;
      return stateResponse(exchange, outcome.state, 201, { Location, ...own(outcome, Location) });
    }
    case 'replaced':
      return stateResponse(exchange, outcome.state, 200, own(outcome, basePath + outcome.location));
  }
}

/** The answer to a write shows the new state itself, unless what was written is bytes and what is shown speaks of them. */
const own = (
  { etag }: Extract<Outcome, { kind: 'created' | 'replaced' }>,
  location: string,
): Record<string, string> => (etag ? {} : { 'Content-Location': location });

const location = (path: string | undefined, basePath: string): Record<string, string> =>
  path === undefined ? {} : { 'Content-Location': basePath + path };

function stateResponse(
  exchange: Exchange,
  state: State,
  status: number,
  headers: Readonly<Record<string, string>>,
): Response {
  const { representation, outcome } = exchange;
  const document = documentOf(exchange, state as Exclude<State, { kind: 'bytes' }>);
  const read = outcome?.kind === 'found' && exchange.state === state;
  // The text of a list or a document was made when its entity tag was.
  const body = read && exchange.text !== undefined ? exchange.text : representation.write(document);
  const written = outcome && 'etag' in outcome ? outcome.etag : undefined;
  if (written) exchange.validators = { etag: written };
  else if (!read) exchange.validators = validatorsOf(exchange, state);
  const links = ((document.members.links ?? []) as readonly LinkFact[]).filter(
    ({ method = 'GET' }) => method === 'GET',
  );
  return {
    status,
    headers: {
      'Content-Type': representation.contentType,
      ...cacheHeaders(state),
      ...validatorHeaders(exchange),
      ...(links.length > 0 ? { Link: formatLinks(links) } : {}),
      ...(state.kind === 'document' ? state.headers : undefined),
      ...headers,
    },
    body,
  };
}

/** Bytes as they were stored, whole or one range. Source: RFC 9110 §14.4, §15.3.7. */
function bytesResponse(exchange: Exchange, stored: Bytes): Response {
  const { range, bytes } = exchange;
  return {
    status: range ? 206 : 200,
    headers: {
      'Content-Type': stored.mediaType,
      'Accept-Ranges': 'bytes',
      ...cacheHeaders({ kind: 'bytes', bytes: stored }),
      'X-Content-Type-Options': 'nosniff',
      ...validatorHeaders(exchange),
      ...(range ? { 'Content-Range': contentRange(range, stored.size) } : {}),
      ...stored.headers,
    },
    body: bytes,
  };
}
