import { Decimal } from '../../shared/json/decimal.ts';
import { type JsonType, jsonTypeOf } from '../../shared/json/value.ts';
import { instantOf, isDate } from '../../shared/resource/kinds/times.ts';

// The rules that compiled validators call, in addition to the keywords of JSON Schema.

/**
 * The limits of a decimal field: at least `minimum`, or above it if `exclusive` is true, below `below`, at most `digits` significant digits, at most
 * `decimals` digits after the decimal point.
 */
export interface DecimalRule {
  readonly minimum: number;
  readonly exclusive?: boolean;
  readonly below: number;
  readonly digits: number;
  readonly decimals?: number;
}

/** Returns the fault of a value as an exact decimal; undefined if it has none. */
export function decimalFault(
  value: unknown,
  { minimum, exclusive, below, digits, decimals }: DecimalRule,
): string | undefined {
  if (typeof value !== 'number' && !(value instanceof Decimal)) return 'must be a number';
  const decimal = Decimal.from(value);
  const order = decimal.compare(Decimal.from(minimum));
  if (exclusive && order === 0) return `must be above ${decimal.text}`;
  if (order < 0) return `must be at least ${minimum}`;
  if (decimal.compare(Decimal.from(below)) >= 0) return `must be below ${Decimal.from(below).text}`;
  if (decimal.digits > digits) return `must have at most ${digits} significant digits`;
  if (decimals !== undefined && decimal.digits - decimal.exponent > decimals)
    return `must have at most ${decimals} digits after the decimal point`;
  // DynamoDB stores no number nearer to zero than 1E-130. A field with more decimals is not stored.
  if (decimals === undefined && decimal.exponent < -128) return 'is too near to zero';
  return undefined;
}

const NOUNS: Readonly<Record<JsonType, string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/** All types of JSON values except null. */
export const JSON_TYPES = Object.keys(NOUNS) as readonly JsonType[];

/** Returns the fault of a value that has none of the types; undefined if it has one. */
export function typeFault(value: unknown, types: readonly JsonType[]): string | undefined {
  if (types.some((type) => type === jsonTypeOf(value))) return undefined;
  return `must be ${types.map((type) => NOUNS[type]).join(' or ')}`;
}

/** The forms that a field can require of its texts. */
export type Form = 'email' | 'url' | 'date' | 'dateTime';

/** The texts that `<input type=email>` accepts. Source: HTML Living Standard §4.10.5.1.5. */
export const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

/**
 * An address of the web without credentials, so a page can show it as a link. Its scheme is in any case, and a pattern of
 * JSON Schema has no flag for that. Source: RFC 3986 §3, §3.1; RFC 9110 §4.2.
 */
export const URL_FORM =
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:[/?#][^\u0000-\u0020<>"{}|\\^`]*)?$/;

const RULES: Readonly<Record<Form, { readonly holds: (text: string) => boolean; readonly fault: string }>> = {
  email: { holds: (text) => EMAIL.test(text), fault: 'must be an e-mail address' },
  url: { holds: (text) => URL_FORM.test(text), fault: 'must be a URL such as https://example.org/' },
  date: { holds: isDate, fault: 'must be a date such as 2026-11-22' },
  dateTime: {
    holds: (text) => instantOf(text) !== undefined,
    fault: 'must be a time with an offset, such as 2026-11-22T03:04:05Z',
  },
};

/** Returns the fault of a text that has not this form; undefined for any other value. */
export function formFault(value: unknown, form: Form): string | undefined {
  const { holds, fault } = RULES[form];
  return typeof value !== 'string' || holds(value) ? undefined : fault;
}
