import { invalid } from '../../fault.ts';

/**
 * A number that DynamoDB can hold: sign × 0.`digits` × 10^`exponent`. The digits neither begin nor end with 0. Zero
 * has no digits.
 */
interface StoredNumber {
  readonly sign: -1 | 0 | 1;
  readonly digits: string;
  readonly exponent: number;
}

const MAXIMUM_DIGITS = 38;
const MAXIMUM_EXPONENT = 126; // 9.99E+125 is 0.999E+126
const MIN_EXPONENT = -129; // 1E-130 is 0.1E-129
const MAXIMUM_PLAIN = 40;

/**
 * Reads a number from a client. Leading zeros are allowed.
 * @throws ValidationException if the text is not a number that DynamoDB can hold
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html,
 * Number: 38 digits, from 1E-130 to 9.9999999999999999999999999999999999999E+125, zeros at both ends are trimmed.
 */
export function parseNumber(text: string): StoredNumber {
  const [, minus, whole, fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (whole === undefined) throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  return stored(minus === '-', whole + fraction, whole.length + Number(power));
}

/**
 * Returns the text of a number without superfluous zeros: `99.9`, and `1.5e99` beyond 40 places on either side of the
 * point. Equal numbers have equal texts. AWS documents no form of the text.
 */
export function numberText({ sign, digits, exponent }: StoredNumber): string {
  const isPlain = Math.abs(exponent) <= MAXIMUM_PLAIN;
  const point = isPlain ? exponent : 1;
  const whole = digits.slice(0, Math.max(point, 0)).padEnd(point, '0') || '0';
  const fraction = '0'.repeat(Math.max(-point, 0)) + digits.slice(Math.max(point, 0));
  const power = isPlain ? '' : `e${exponent - 1}`;
  return `${sign < 0 ? '-' : ''}${whole}${fraction && '.'}${fraction}${power}`;
}

/**
 * Returns the exact sum of two numbers, as text.
 * @throws ValidationException if an operand or the sum is not a number that DynamoDB can hold
 */
export function sumOf(left: string, right: string): string {
  const terms = [parseNumber(left), parseNumber(right)];
  const scale = Math.min(...terms.map(({ digits, exponent }) => exponent - digits.length));
  let sum = 0n;
  for (const { sign, digits, exponent } of terms) {
    sum += BigInt(sign) * BigInt(digits.padEnd(exponent - scale, '0'));
  }
  const magnitude = String(sum).replace('-', '');
  return numberText(stored(sum < 0n, magnitude, magnitude.length + scale));
}

/** Returns the number with that text and the opposite sign. */
export const negate = (text: string): string => (text.startsWith('-') ? text.slice(1) : `-${text}`);

/**
 * Returns at most 22 bytes in numeric order: sign, biased exponent, then two digits a byte. The bytes of a negative
 * number are complemented and end with FF, so that more digits mean a smaller number.
 */
export function orderedNumber({ sign, digits, exponent }: StoredNumber): Buffer {
  if (sign === 0) return Buffer.of(0x80);
  const negative = sign < 0;
  // 256 exponents fill the byte exactly; any other bias would wrap at one end.
  const biased = exponent - MIN_EXPONENT;
  const bytes = [negative ? 0x7f : 0x81, negative ? 255 - biased : biased];
  for (let at = 0; at < digits.length; at += 2) {
    const pair = Number(digits.slice(at, at + 2).padEnd(2, '0')) + 1;
    bytes.push(negative ? 101 - pair : pair);
  }
  if (negative) bytes.push(0xff);
  return Buffer.from(bytes);
}

/** Returns ±0.`all` × 10^`exponent` without the zeros at both ends. @throws ValidationException beyond the limits */
function stored(negative: boolean, all: string, exponent: number): StoredNumber {
  const start = all.search(/[^0]/);
  if (start < 0) return { sign: 0, digits: '', exponent: 0 };
  let end = all.length;
  while (all[end - 1] === '0') end--;
  const number = {
    sign: negative ? -1 : 1,
    digits: all.slice(start, end),
    exponent: exponent - start,
  } as const;
  const inRange = number.exponent <= MAXIMUM_EXPONENT && number.exponent >= MIN_EXPONENT;
  if (inRange && number.digits.length <= MAXIMUM_DIGITS) return number;
  throw invalid('Number overflow or underflow, or more than 38 significant digits');
}
