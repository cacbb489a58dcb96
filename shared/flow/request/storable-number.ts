import { Decimal } from '../../json/decimal.ts';

/**
 * The precision and the range of a number in DynamoDB. Source: Amazon DynamoDB Developer Guide, "Data types"
 * (Number).
 */
const DIGITS = 38;
const LARGEST = Decimal.from(9.9e125);
const SMALLEST = Decimal.from(1e-130);
const ZERO = Decimal.from(0);
const LEAST = Decimal.from(-9.9e125);

/** Rounds up to the next number that DynamoDB can hold; returns the largest one if none is above. */
export function ceilToStorableNumber(value: Decimal): Decimal {
  if (value.compare(LARGEST) >= 0) return LARGEST;
  if (value.compare(LEAST) <= 0) return LEAST;
  if (value.sign > 0 && value.compare(SMALLEST) <= 0) return SMALLEST;
  if (value.sign <= 0 && value.exponent < -129) return ZERO;
  if (value.digits <= DIGITS) return value.canonical();
  const kept = BigInt(value.significand.slice(0, DIGITS));
  const integer = value.sign > 0 ? kept + 1n : -kept;
  return (Decimal.parse(`${integer}e${value.exponent - DIGITS}`) as Decimal).canonical();
}
