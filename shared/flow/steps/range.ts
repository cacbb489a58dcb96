import { ifRangeHolds, selectRanges, unsatisfiedContentRange } from '../../http/range.ts';
import { refuse } from '../ending.ts';
import { step } from '../step.ts';

/**
 * Chooses the ranges to send: at most five, with no more bytes together than the whole. Only GET of bytes has
 * ranges. HEAD ignores them.
 *
 * Source: RFC 9110 §14.2, §13.1.5, §15.5.17.
 */
export const range = step('range', [416], (exchange) => {
  const { request, state, validators } = exchange;
  exchange.ranges = undefined;
  if (request.method !== 'GET' || state?.kind !== 'bytes' || !validators) return undefined;
  const { headers } = request;
  if (!ifRangeHolds(headers['if-range'], validators, request.receivedAt)) return undefined;
  const verdict = selectRanges(headers.range, state.bytes.size);
  if (verdict.kind === 'unsatisfiable') {
    return refuse('range-not-satisfiable', `There are ${state.bytes.size} bytes`, {
      headers: { 'Content-Range': unsatisfiedContentRange(state.bytes.size), 'Accept-Ranges': 'bytes' },
    });
  }
  if (verdict.kind === 'partial') {
    const total = verdict.ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    if (total <= state.bytes.size) exchange.ranges = verdict.ranges;
  }
  return undefined;
});
