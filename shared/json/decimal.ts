/** `JSON.rawJSON`, which TypeScript does not know yet. Source: ECMAScript proposal "JSON.parse source text access". */
const { rawJSON } = JSON as typeof JSON & { rawJSON(text: string): object };

const number = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/** `parse` refuses exponents beyond this, so that the sum of an exponent and a digit count is exact. */
const EXPONENT_LIMIT = 1e15;
/** Values whose exponent is at most this far from 0 have a text without exponent. */
const PLAIN_LIMIT = 40;
/** `plus` and `times` accept digits within 10^±this. */
const ARITHMETIC_LIMIT = 200;

const ZERO = 0x30;

/**
 * An exact decimal number, stored as its digits and never as a binary float. The value is `sign` × 0.`significand`
 * × 10^`exponent`. The significand neither begins nor ends with 0. Equal values therefore have equal fields and one
 * text, however they were written (`99.90`, `9.99e1`). Zero has no digits and exponent 0.
 *
 * Source: RFC 8259 §6; Specification 2.30.
 */
export class Decimal {
  readonly sign: -1 | 0 | 1;
  /** The significant digits: `999` for 99.90. */
  readonly significand: string;
  /** The number of significant digits. */
  readonly digits: number;
  readonly exponent: number;
  /**
   * The canonical JSON text: plain (`99.9`) up to 40 places on either side of the point, otherwise scientific
   * (`1.5e99`).
   */
  readonly text: string;

  /** The text that was parsed. JSON shows it again, so that a client gets back the digits that it sent. */
  readonly #literal: string;

  private constructor(sign: -1 | 0 | 1, significand: string, exponent: number, literal?: string) {
    this.sign = sign;
    this.significand = significand;
    this.digits = significand.length;
    this.exponent = exponent;
    this.text = write(sign, significand, exponent);
    this.#literal = literal ?? this.text;
  }

  /**
   * Reads a JSON number literal; undefined if it is malformed. Exponents beyond ±10^15 are refused too, as RFC 8259
   * §6 allows. Any other literal costs no more than its own length.
   */
  static parse(text: string): Decimal | undefined {
    const m = number.exec(text);
    if (m === null) return undefined;
    const [, minus, integer = '', fraction = '', power = '0'] = m;
    const all = integer + fraction;
    let start = 0;
    while (start < all.length && all.charCodeAt(start) === ZERO) start++;
    if (start === all.length) return new Decimal(0, '', 0, text);
    let end = all.length;
    while (all.charCodeAt(end - 1) === ZERO) end--;
    const exponent = Number(power) + integer.length - start;
    if (Math.abs(exponent) > EXPONENT_LIMIT) return undefined;
    return new Decimal(minus === '-' ? -1 : 1, all.slice(start, end), exponent, text);
  }

  /**
   * The decimal of a number's shortest text.
   *
   * @throws RangeError for NaN and infinities
   */
  static from(value: number | Decimal): Decimal {
    if (typeof value !== 'number') return value;
    const decimal = Decimal.parse(String(value));
    if (decimal === undefined) throw new RangeError(`${value} is not a decimal number`);
    return decimal;
  }

  /** The same number with its canonical text. */
  canonical(): Decimal {
    return this.#literal === this.text ? this : new Decimal(this.sign, this.significand, this.exponent);
  }

  /** True if the number has no digits after the decimal point. */
  get isInteger(): boolean {
    return this.digits <= this.exponent || this.sign === 0;
  }

  /** -1, 0 or 1 if this number is less than, equal to or greater than the other. */
  compare(given: Decimal | number): -1 | 0 | 1 {
    const other = Decimal.from(given);
    if (this.sign !== other.sign) return this.sign < other.sign ? -1 : 1;
    if (this.exponent !== other.exponent) {
      return this.exponent < other.exponent === this.sign > 0 ? -1 : 1;
    }
    // Both numbers have the same point, so without trailing zeros the order of the texts is that of the numbers.
    if (this.significand === other.significand) return 0;
    return this.significand < other.significand === this.sign > 0 ? -1 : 1;
  }

  /** True if both are the same number. */
  equals(other: Decimal): boolean {
    return (
      this.sign === other.sign && this.exponent === other.exponent && this.significand === other.significand
    );
  }

  /**
   * The exact sum.
   *
   * @throws RangeError unless all digits of both are within 10^±200
   */
  plus(other: Decimal | number): Decimal {
    const [a, aScale] = scaled(this);
    const [b, bScale] = scaled(Decimal.from(other));
    const scale = Math.min(aScale, bScale);
    return fromScaled(a * 10n ** BigInt(aScale - scale) + b * 10n ** BigInt(bScale - scale), scale);
  }

  /** The exact difference. @throws RangeError as `plus` */
  minus(other: Decimal | number): Decimal {
    return this.plus(Decimal.from(other).times(-1));
  }

  /**
   * The exact product.
   *
   * @throws RangeError unless all digits of both are within 10^±200
   */
  times(other: Decimal | number): Decimal {
    const [a, aScale] = scaled(this);
    const [b, bScale] = scaled(Decimal.from(other));
    return fromScaled(a * b, aScale + bScale);
  }

  /**
   * The nearest number with so many digits after the point. A half is rounded away from zero, as invoices do.
   *
   * @throws RangeError as `plus`
   */
  rounded(places: number): Decimal {
    const [integer, scale] = scaled(this);
    if (scale >= -places) return this.canonical();
    const unit = 10n ** BigInt(-places - scale);
    const half = (unit / 2n) * BigInt(this.sign);
    return fromScaled((integer + half) / unit, -places);
  }

  /** The nearest binary float, which may be an infinity or 0. */
  toNumber(): number {
    return Number(this.text);
  }

  /** Lets `JSON.stringify` write the digits as they were parsed. */
  toJSON(): object {
    return rawJSON(this.#literal);
  }

  toString(): string {
    return this.text;
  }
}

/** Returns the number as integer × 10^scale. */
function scaled({ sign, significand, digits, exponent, text }: Decimal): [integer: bigint, scale: number] {
  const scale = exponent - digits;
  if (exponent > ARITHMETIC_LIMIT || scale < -ARITHMETIC_LIMIT) {
    throw new RangeError(`${text.slice(0, 50)} has digits beyond 10^±${ARITHMETIC_LIMIT}`);
  }
  const integer = BigInt(significand);
  return [sign < 0 ? -integer : integer, scale];
}

/** Returns the decimal of integer × 10^scale. */
function fromScaled(integer: bigint, scale: number): Decimal {
  return (Decimal.parse(`${integer}e${scale}`) as Decimal).canonical();
}

/** Returns the canonical JSON text of a number's parts. */
function write(sign: -1 | 0 | 1, significand: string, exponent: number): string {
  if (sign === 0) return '0';
  const minus = sign < 0 ? '-' : '';
  const length = significand.length;
  if (Math.abs(exponent) > PLAIN_LIMIT) {
    const fraction = length > 1 ? `.${significand.slice(1)}` : '';
    return `${minus}${significand[0]}${fraction}e${exponent - 1}`;
  }
  if (exponent <= 0) return `${minus}0.${'0'.repeat(-exponent)}${significand}`;
  if (exponent >= length) return minus + significand + '0'.repeat(exponent - length);
  return `${minus}${significand.slice(0, exponent)}.${significand.slice(exponent)}`;
}

/** Returns a whole number, however it is written (`1e3` is 1000), as a JavaScript number; any other value unchanged. */
export const whole = <Value>(value: Value | Decimal): Value | Decimal | number =>
  value instanceof Decimal && value.isInteger ? value.toNumber() : value;
