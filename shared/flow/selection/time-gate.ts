import { formatHttpDate, parseHttpDate } from '../../http/conditional/http-date.ts';
import { formatLinks } from '../../http/fields/link.ts';
import { pairsOf, withQuery } from '../../http/paths.ts';
import { historyLinks, itemHref } from '../../representations/item.ts';
import type { Endpoint } from '../../resource/route.ts';
import { callOf } from '../action-input.ts';
import { type Ending, endWith, refuse, refuseMissing } from '../ending.ts';
import type { Understood } from '../exchange.ts';

/** The names in queries whose effect is the same on a version. */
const KEPT = ['fields', 'expand'];

/**
 * Leads the client to the version of an item or a file at the time in `Accept-Datetime`. Undefined: it has no versions.
 *
 * Source: RFC 7089 §2.1.1, §4.1; Specification 16.5.
 */
export async function passTimeGate(
  exchange: Understood,
  versionAt: NonNullable<Endpoint['timeGate']>,
  wanted: string,
): Promise<Ending<302 | 400 | 404> | undefined> {
  const { request, resource } = exchange;
  const time = parseHttpDate(wanted, request.receivedAt);
  if (time === undefined)
    return refuse(
      'malformed-request',
      `Accept-Datetime is not an HTTP-date. Send one such as ${formatHttpDate(request.receivedAt)}`,
      { errors: [{ header: 'Accept-Datetime', detail: 'is not an HTTP-date' }] },
    );
  const { caller } = callOf(exchange);
  const id = exchange.parameters.name ?? exchange.parameters.id ?? Number.NaN;
  const href = itemHref(resource, id);
  // Times in header fields have whole seconds, and a version belongs to its whole second.
  const version = await versionAt({ caller, id }, time + 999);
  if (version === false) return undefined;
  if (version === undefined) {
    const links = [{ rel: 'version-history', href: `${href}/versions` }];
    return refuseMissing(request, `There was no ${href} at this time`, links);
  }
  const kept = new Map(KEPT.map((name) => [name, request.query.get(name) ?? []]));
  const path = `${request.basePath}${href}/versions/${encodeURIComponent(version)}`;
  return endWith(302, {
    Location: withQuery(path, pairsOf(kept)),
    Vary: 'Accept-Datetime',
    Link: formatLinks(historyLinks(resource, id, request.basePath)),
    'Cache-Control': 'private, no-cache',
  });
}
