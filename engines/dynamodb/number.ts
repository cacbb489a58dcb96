import { Decimal } from '../../shared/json/decimal.ts';
import { invalid } from '../fault.ts';

const MAX_DIGITS = 38;
const MAX_EXPONENT = 126; // 9.99E+125 is 0.999E+126
const MIN_EXPONENT = -129; // 1E-130 is 0.1E-129

/**
 * Reads a number from a client. Leading zeros are allowed.
 * @throws ValidationException if the text is no number, or DynamoDB cannot hold it
 *
 * Source: DynamoDB Developer Guide "Supported data types and naming rules", Number ("Leading and trailing zeroes are
 * trimmed").
 */
export function parseNumber(text: string): Decimal {
  const number = Decimal.parse(text.replace(/^(-?)0+(?=[0-9])/, '$1'));
  if (!number) throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  return storable(number);
}

/**
 * Checks the digits and the range of a number.
 * Source: DynamoDB Developer Guide "Supported data types and naming rules", Number.
 */
export function storable(number: Decimal): Decimal {
  const inRange = number.exponent <= MAX_EXPONENT && number.exponent >= MIN_EXPONENT;
  if (inRange && number.digits <= MAX_DIGITS) return number;
  throw invalid('Number overflow or underflow, or more than 38 significant digits');
}

/**
 * Returns at most 22 bytes in numeric order: sign, biased exponent, then two digits a byte. The bytes of a negative
 * number are complemented and end with FF, so that more digits mean a smaller number.
 */
export function orderedNumber({ sign, significand, exponent }: Decimal): Buffer {
  if (sign === 0) return Buffer.of(0x80);
  const negative = sign < 0;
  // 256 exponents fill the byte exactly; any other bias would wrap at one end.
  const biased = exponent - MIN_EXPONENT;
  const bytes = [negative ? 0x7f : 0x81, negative ? 255 - biased : biased];
  for (let at = 0; at < significand.length; at += 2) {
    const pair = Number(significand.slice(at, at + 2).padEnd(2, '0')) + 1;
    bytes.push(negative ? 101 - pair : pair);
  }
  if (negative) bytes.push(0xff);
  return Buffer.from(bytes);
}
