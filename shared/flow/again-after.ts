import type { Exchange } from './exchange.ts';

/** Seconds between two looks of a page at least. */
const CALM = 2;

/**
 * What changes by itself is looked at again, and never stored. A page does so by itself, without
 * script, unless it tells something once (`byItself`).
 *
 * Source: RFC 9110 §10.2.3; HTML Living Standard §4.2.5.3, "Refresh state".
 */
export const againAfter = (
  { representation }: Pick<Exchange, 'representation'>,
  seconds: number,
  byItself = true,
): Record<string, string> => ({
  'Cache-Control': 'no-store',
  'Retry-After': String(seconds),
  ...(byItself && representation.suffix === undefined ? { Refresh: String(Math.max(seconds, CALM)) } : {}),
});
