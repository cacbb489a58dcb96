import { Decimal } from '../json/decimal.ts';

/** What a decimal field demands: at least `minimum`, below `below`, at most `digits` significant digits. */
export interface DecimalRule {
  readonly minimum: number;
  readonly below: number;
  readonly digits: number;
}

/** What is wrong with a value as an exact decimal; undefined when nothing is. Called by compiled validators. */
export function decimalFault(value: unknown, { minimum, below, digits }: DecimalRule): string | undefined {
  if (typeof value !== 'number' && !(value instanceof Decimal)) return 'must be a number';
  const decimal = Decimal.from(value);
  if (decimal.compare(Decimal.from(minimum)) < 0) return `must be at least ${minimum}`;
  if (decimal.compare(Decimal.from(below)) >= 0) return `must be below ${Decimal.from(below).text}`;
  if (decimal.digits > digits) return `must have at most ${digits} significant digits`;
  // DynamoDB keeps nothing nearer to zero than 1E-130.
  if (decimal.exponent < -128) return 'is too near to zero';
  return undefined;
}
