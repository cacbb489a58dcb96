import type { Fault } from '../../shared/http/problem.ts';
import { Decimal } from '../../shared/json/decimal.ts';
import type { Action } from '../../shared/resource/actions/action.ts';
import { found, refused } from '../../shared/resource/actions/outcome.ts';
import { queryNumber } from '../../shared/resource/kinds/numbers.ts';

/** The largest number of significant digits of an operand. Its absolute value is below 10^38. */
const DIGITS = 38;
/** The written exponent of an operand is between -EXPONENT and EXPONENT. Source: Specification D.6. */
export const EXPONENT = 38;
/** The absolute value of an operand other than 0 is at least 10^-PLACES, so that the service can compute exact sums. */
const PLACES = 160;

/** For all representations but the page, which names the person who is signed in. */
const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' };

const OPERANDS = ['operand1', 'operand2'];

/**
 * Returns the exact decimal sum of two operands. Without operands, a page has only a form for them.
 *
 * Source: Specification 1.19.
 */
export const sum: Action = ({ query, isPage }) => {
  if (isPage && OPERANDS.every((name) => query[name] === undefined))
    return found({ kind: 'document', members: {}, asks: OPERANDS });
  const faults: Fault[] = [];
  const operand = (parameter: string): Decimal => {
    const text = query[parameter]?.[0];
    const value = text === undefined ? undefined : queryNumber(text, EXPONENT);
    if (!value) {
      const wanted = `must be a decimal number, with an exponent between -${EXPONENT} and ${EXPONENT}`;
      faults.push({ parameter, detail: text === undefined ? 'must be given' : wanted });
    } else if (value.digits > DIGITS || value.exponent > DIGITS || value.exponent <= -PLACES) {
      faults.push({
        parameter,
        detail: `must have at most ${DIGITS} digits, be below 10^${DIGITS} and not nearer to zero than 10^-${PLACES}`,
      });
    }
    return value ?? Decimal.from(0);
  };
  const [operand1, operand2] = [operand('operand1'), operand('operand2')];
  if (faults.length > 0)
    return refused('validation-error', 'The operands are not valid. Correct the named parameters', {
      errors: faults,
    });
  const result = operand1.plus(operand2);
  return found({
    kind: 'document',
    members: { operand1, operand2, sum: result },
    asks: OPERANDS,
    plain: result.text,
    ...(isPage ? {} : { headers: IMMUTABLE }),
  });
};
