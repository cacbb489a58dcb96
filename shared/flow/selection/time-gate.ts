import { formatHttpDate, parseHttpDate } from '../../http/conditional/http-date.ts';
import { formatLinks } from '../../http/fields/link.ts';
import { historyLinks, itemHref } from '../../representations/item.ts';
import type { Endpoint } from '../../resource/route.ts';
import { itemCall } from '../action-input.ts';
import { type Ending, endWith, refuse, refuseMissing } from '../ending.ts';
import type { Understood } from '../exchange.ts';

/** The names in queries whose effect is the same on a version. */
const KEPT = ['fields', 'expand'];

/**
 * Leads the client to the version of an item at the time in `Accept-Datetime`.
 *
 * Source: RFC 7089 §2.1.1, §4.1; Specification 16.5.
 */
export async function passTimeGate(
  exchange: Understood,
  versionAt: NonNullable<Endpoint['timeGate']>,
  wanted: string,
): Promise<Ending<302 | 400 | 404>> {
  const { request, resource } = exchange;
  const time = parseHttpDate(wanted, request.receivedAt);
  if (time === undefined)
    return refuse(
      'malformed-body',
      `Accept-Datetime is not an HTTP-date. Send one such as ${formatHttpDate(request.receivedAt)}`,
      { errors: [{ header: 'Accept-Datetime', detail: 'is not an HTTP-date' }] },
    );
  const call = itemCall(exchange);
  const href = itemHref(resource, call.id);
  // Times in header fields have whole seconds, and a version belongs to its whole second.
  const version = await versionAt(call, time + 999);
  if (version === undefined) {
    const links = [{ rel: 'version-history', href: `${href}/versions` }];
    return refuseMissing(request, `There was no ${href} at this time`, links);
  }
  const query = new URLSearchParams(
    KEPT.flatMap((name) => (request.query.get(name) ?? []).map((value): [string, string] => [name, value])),
  );
  return endWith(302, {
    Location: `${request.basePath}${href}/versions/${version}${query.size > 0 ? `?${query}` : ''}`,
    Vary: 'Accept-Datetime',
    Link: formatLinks(historyLinks(resource, call.id, request.basePath)),
    'Cache-Control': 'private, no-cache',
  });
}
