import { ifRangeHolds, selectRanges, unsatisfiedContentRange } from '../../../http/conditional/range.ts';
import { refuse } from '../../ending.ts';
import type { LookedUp, Ranged, Received } from '../../exchange.ts';
import { step } from '../../step.ts';

const WHOLE: Ranged = { ranges: undefined };

/**
 * Chooses the ranges to send: at most five, with no more bytes together than the whole. Only GET of bytes has
 * ranges. HEAD ignores them.
 *
 * Source: RFC 9110 §14.2, §13.1.5, §15.5.17.
 */
export const range = step<Received & LookedUp, Ranged>()('range', [416], (exchange) => {
  const { request, state, validators } = exchange;
  if (request.method !== 'GET' || state?.kind !== 'bytes' || !validators) return WHOLE;
  const { headers } = request;
  if (!ifRangeHolds(headers['if-range'], validators, request.receivedAt)) return WHOLE;
  const verdict = selectRanges(headers.range, state.bytes.size);
  if (verdict.kind === 'unsatisfiable') {
    return refuse(
      'range-not-satisfiable',
      `There are ${state.bytes.size} bytes. Request a range inside them`,
      { headers: { 'Content-Range': unsatisfiedContentRange(state.bytes.size), 'Accept-Ranges': 'bytes' } },
    );
  }
  if (verdict.kind !== 'partial') return WHOLE;
  const total = verdict.ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  return total <= state.bytes.size ? { ranges: verdict.ranges } : WHOLE;
});
