import { formatLinks } from '../../http/fields/link.ts';
import type { Response } from '../../http/response.ts';
import { sightOf } from '../../resource/access/sight.ts';
import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Answerable } from '../exchange.ts';
import { applyReturnPreference, pollingHeaders } from './cache-and-validators.ts';
import { documentOf } from './document.ts';

/**
 * The response to an accepted request: the operation and its address. If the operation ended while the client
 * waited, the response shows its result. It has no entity tag, because the body does not represent the target.
 *
 * Source: RFC 9110 §15.3.3; Specification 7.3, 7.4.
 */
export async function acceptedResponse(
  exchange: Answerable,
  { of, item, location, more, retryAfter }: Extract<Outcome, { kind: 'accepted' }>,
): Promise<Response> {
  const { representation, request } = exchange;
  const sight = of.description && sightOf(of.description, request);
  const document = documentOf(
    { ...exchange, resource: of, sight, fields: undefined },
    { kind: 'item', item },
  );
  const whole = { ...document, members: { ...document.members, ...more } };
  const operationHref = request.basePath + location;
  const created = item.internal.location;
  const hasEnded = retryAfter === undefined;
  const links = (document.links ?? []).filter(({ rel }) => rel === 'self');
  const shown = async (): Promise<Response> => ({
    status: hasEnded ? (created === undefined ? 200 : 201) : 202,
    headers: {
      'Content-Type': representation.contentType,
      Vary: 'Accept, Prefer',
      Link: formatLinks(links),
      ...representation.headers,
      ...(hasEnded && created === undefined
        ? {}
        : { Location: hasEnded ? request.basePath + created : operationHref }),
      'Content-Location': operationHref,
      ...(hasEnded
        ? { 'Cache-Control': 'no-store' }
        : pollingHeaders(exchange, retryAfter, more === undefined)),
    },
    body: await representation.write(whole, { request, resource: of }),
  });
  return hasEnded && created === undefined
    ? applyReturnPreference(exchange, { status: 204, headers: {} }, shown)
    : shown();
}
