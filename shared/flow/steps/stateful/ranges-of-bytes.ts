import { ifRangeHolds, selectRanges, unsatisfiedContentRange } from '../../../http/conditional/range.ts';
import { MAXIMUM_BYTES } from '../../../http/maximum-sizes.ts';
import type { Bytes } from '../../../resource/actions/outcome.ts';
import { endWith, refuse } from '../../ending.ts';
import type { LookedUp, Ranged, Received } from '../../exchange.ts';
import { step } from '../../step.ts';

/** The bytes as a whole. */
export const WHOLE: Ranged = { ranges: undefined };

/**
 * Chooses what a response sends of stored bytes: the whole, or the ranges that GET names. If this is too much for one
 * response, the client gets a redirect to a presigned URL. The bytes exist and the preconditions hold at this point.
 *
 * Source: RFC 9110 §14.2, §15.4.8, §15.5.17; Specification 5.10, 5.13.
 */
export const bytes = step<Received & LookedUp, Ranged>()('bytes', [307, 416], (exchange) => {
  const { request, state } = exchange;
  if (state?.kind !== 'bytes') return WHOLE;
  const chosen = chooseRanges(exchange, state.bytes);
  if (chosen === 'unsatisfiable') {
    return refuse(
      'range-not-satisfiable',
      `There are ${state.bytes.size} bytes. Request a range inside them`,
      { headers: { 'Content-Range': unsatisfiedContentRange(state.bytes.size), 'Accept-Ranges': 'bytes' } },
    );
  }
  const { method, keepsContentLength } = request;
  if (method === 'HEAD' && keepsContentLength) return chosen;
  const total = chosen.ranges ? totalOf(chosen.ranges) : state.bytes.size;
  if (total <= MAXIMUM_BYTES || !state.bytes.address) return chosen;
  const address = state.bytes.address(method === 'HEAD' ? 'HEAD' : 'GET');
  // The URL expires and depends on `Range`, so no cache may store the response.
  return address.then((Location) => endWith(307, { Location, 'Cache-Control': 'no-store' }));
});

/**
 * At most five ranges, with no more bytes together than the whole. HEAD ignores them, and so does GET of bytes that are
 * empty: caches that read a file in slices would fail otherwise. Source: RFC 9110 §13.1.5, §14.2.
 */
function chooseRanges(
  { request, validators }: Received & LookedUp,
  { size }: Pick<Bytes, 'size'>,
): Ranged | 'unsatisfiable' {
  const { method, headers, receivedAt } = request;
  if (
    method !== 'GET' ||
    size === 0 ||
    !validators ||
    !ifRangeHolds(headers['if-range'], validators, receivedAt)
  )
    return WHOLE;
  const verdict = selectRanges(headers.range, size);
  if (verdict.kind === 'unsatisfiable') return verdict.kind;
  return verdict.kind === 'partial' && totalOf(verdict.ranges) <= size ? { ranges: verdict.ranges } : WHOLE;
}

const totalOf = (ranges: NonNullable<Ranged['ranges']>): number =>
  ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
