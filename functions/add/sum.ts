import type { Fault } from '../../shared/http/problem.ts';
import { Decimal } from '../../shared/json/decimal.ts';
import type { Action } from '../../shared/resource/actions/action.ts';
import { found, refused } from '../../shared/resource/actions/outcome.ts';

/** The largest number of significant digits of an operand. Its absolute value is below 10^38. */
const DIGITS = 38;
/** The absolute value of an operand other than 0 is at least 10^-PLACES, so that the service can compute exact sums. */
export const PLACES = 160;
const MAXIMUM_CHARACTERS = 1000;

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The exact decimal sum of two operands. */
export const sum: Action = ({ query }) => {
  const faults: Fault[] = [];
  const operand = (parameter: string): Decimal => {
    const text = query[parameter]?.[0];
    const value = text !== undefined && text.length <= MAXIMUM_CHARACTERS ? Decimal.parse(text) : undefined;
    if (!value) {
      faults.push({
        parameter,
        detail: text === undefined ? 'must be given' : 'must be a number as JSON writes it',
      });
    } else if (value.digits > DIGITS || value.exponent > DIGITS || value.exponent <= -PLACES) {
      faults.push({
        parameter,
        detail: `must have at most ${DIGITS} digits, be below 10^${DIGITS} and not nearer to zero than 10^-${PLACES}`,
      });
    }
    return value ?? Decimal.from(0);
  };
  const [operand1, operand2] = [operand('operand1'), operand('operand2')];
  if (faults.length > 0) return refused('validation-error', 'The operands are not valid', { errors: faults });
  const result = operand1.plus(operand2);
  return found({
    kind: 'document',
    members: { operand1, operand2, sum: result },
    plain: result.text,
    headers: IMMUTABLE,
  });
};
