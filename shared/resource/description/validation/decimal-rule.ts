import { Decimal } from '../../../json/decimal.ts';

/**
 * The limits of a decimal field: at least `minimum`, below `below`, at most `digits` significant digits, at most
 * `decimals` digits after the decimal point.
 */
export interface DecimalRule {
  readonly minimum: number;
  readonly below: number;
  readonly digits: number;
  readonly decimals?: number;
}

/** The fault of a value as an exact decimal; undefined if it has none. Compiled validators call this. */
export function decimalFault(
  value: unknown,
  { minimum, below, digits, decimals }: DecimalRule,
): string | undefined {
  if (typeof value !== 'number' && !(value instanceof Decimal)) return 'must be a number';
  const decimal = Decimal.from(value);
  if (decimal.compare(Decimal.from(minimum)) < 0) return `must be at least ${minimum}`;
  if (decimal.compare(Decimal.from(below)) >= 0) return `must be below ${Decimal.from(below).text}`;
  if (decimal.digits > digits) return `must have at most ${digits} significant digits`;
  if (decimals !== undefined && decimal.digits - decimal.exponent > decimals)
    return `must have at most ${decimals} digits after the decimal point`;
  // DynamoDB stores no number nearer to zero than 1E-130.
  if (decimal.exponent < -128) return 'is too near to zero';
  return undefined;
}
