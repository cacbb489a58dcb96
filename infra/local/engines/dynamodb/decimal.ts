import { invalid } from './faults.ts';

/**
 * An exact DynamoDB number: ±0.digits × 10^exponent, digits without leading or trailing zeros. Zero has no
 * digits, exponent 0 and no sign.
 */
export interface Decimal {
  negative: boolean;
  digits: string;
  exponent: number;
}

const MAX_DIGITS = 38;
const MAX_EXPONENT = 126; // 9.99E+125 is 0.999E+126
const MIN_EXPONENT = -129; // 1E-130 is 0.1E-129
const FORM = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/;

/**
 * Reads a number as a client sent it.
 *
 * Source: DynamoDB Developer Guide "Supported data types and naming rules", Number.
 * @throws ValidationException when it is no number, has over 38 significant digits or leaves the range
 */
export function parseDecimal(text: string): Decimal {
  const match = text.length <= 1000 ? FORM.exec(text) : null;
  const whole = match?.[2] ?? '';
  const fraction = match?.[3] ?? '';
  if (!match || whole.length + fraction.length === 0) {
    throw invalid(`The parameter cannot be converted to a numeric value: ${text}`);
  }
  return normalize(match[1] === '-', whole + fraction, whole.length + Number(match[4] ?? 0));
}

function normalize(negative: boolean, all: string, point: number): Decimal {
  let start = 0;
  while (all[start] === '0') start++;
  let end = all.length;
  while (end > start && all[end - 1] === '0') end--;
  const digits = all.slice(start, end);
  if (digits === '') return { negative: false, digits, exponent: 0 };
  const exponent = point - start;
  if (digits.length > MAX_DIGITS) {
    throw invalid('Attempting to store more than 38 significant digits in a Number');
  }
  if (exponent > MAX_EXPONENT) {
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range');
  }
  if (exponent < MIN_EXPONENT) {
    throw invalid(
      'Number underflow. Attempting to store a number with magnitude smaller than supported range',
    );
  }
  return { negative, digits, exponent };
}

/** The one spelling of a number: `1.0`, `1e0` and `+1` are all `1`. Plain digits, never an exponent. */
export function formatDecimal({ negative, digits, exponent }: Decimal): string {
  if (digits === '') return '0';
  const sign = negative ? '-' : '';
  if (exponent <= 0) return `${sign}0.${'0'.repeat(-exponent)}${digits}`;
  if (exponent >= digits.length) return sign + digits.padEnd(exponent, '0');
  return `${sign}${digits.slice(0, exponent)}.${digits.slice(exponent)}`;
}

/** Exact sum of two canonical numbers; with `sign` -1 their difference. Range and digits are checked on the result. */
export function addNumbers(left: string, right: string, sign: 1 | -1 = 1): string {
  const a = parseDecimal(left);
  const b = parseDecimal(right);
  const scale = Math.min(a.exponent - a.digits.length, b.exponent - b.digits.length);
  const sum = scaled(a, scale) + BigInt(sign) * scaled(b, scale);
  const digits = (sum < 0n ? -sum : sum).toString();
  return formatDecimal(normalize(sum < 0n, digits, digits.length + scale));
}

function scaled({ negative, digits, exponent }: Decimal, scale: number): bigint {
  const magnitude = BigInt(digits || '0') * 10n ** BigInt(exponent - digits.length - scale);
  return negative ? -magnitude : magnitude;
}

/**
 * Bytes that sort as the numbers do, at most 22: sign, biased exponent, then two digits a byte. Negative
 * numbers are complemented and end with FF, so that more digits mean smaller.
 */
export function encodeDecimal({ negative, digits, exponent }: Decimal): Buffer {
  if (digits === '') return Buffer.of(0x80);
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
