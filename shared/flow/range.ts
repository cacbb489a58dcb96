import { ifRangeHolds, selectRanges, unsatisfiedContentRange } from '../http/range.ts';
import { refuse } from './ending.ts';
import { step } from './step.ts';

/**
 * Chooses the range to send. Only GET of bytes has ranges; HEAD ignores them. Several ranges: the whole is sent.
 *
 * Source: RFC 9110 §14.2, §13.1.5, §15.5.17.
 */
export const range = step('range', [416], (exchange) => {
  const { request, state, validators } = exchange;
  exchange.range = undefined;
  if (request.method !== 'GET' || state?.kind !== 'bytes' || !validators) return undefined;
  const { headers } = request;
  if (!ifRangeHolds(headers['if-range'], validators)) return undefined;
  const verdict = selectRanges(headers.range, state.bytes.size, { maximum: 1 });
  if (verdict.kind === 'unsatisfiable') {
    return refuse('range-not-satisfiable', `There are ${state.bytes.size} bytes`, {
      headers: { 'Content-Range': unsatisfiedContentRange(state.bytes.size), 'Accept-Ranges': 'bytes' },
    });
  }
  if (verdict.kind === 'partial') exchange.range = verdict.ranges[0];
  return undefined;
});
