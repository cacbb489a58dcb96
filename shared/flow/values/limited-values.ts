import type { ProblemName, StatusOf } from '../../http/problem.ts';
import type { Content } from '../content.ts';
import { type Ending, end } from '../ending.ts';
import type { Ready } from '../exchange.ts';
import type { ChangedValues } from './changed-values.ts';

/**
 * The values of the item after a PUT by a caller who cannot see or set all fields. Undefined for every other caller,
 * whose content has all values. Look-up has read the item.
 */
export function limitedValues(
  { fieldLimits, state }: Ready,
  { values, binaries }: Extract<Content, { kind: 'item' }>,
): ChangedValues | Ending<StatusOf<ProblemName>> | undefined {
  if (!fieldLimits || state?.kind !== 'item') return undefined;
  const kept = fieldLimits.completed(state.item, { values, binaries });
  return kept.kind === 'refused' ? end(kept.problem) : { kind: 'changed', values: kept.values, binaries };
}
