import type { ArrayField, Field, Fields, IntegerField, StructureField } from './description.ts';
import type {
  AnyField,
  BinaryField,
  BooleanField,
  DateField,
  DateTimeField,
  DecimalField,
  TextField,
  TimestampField,
} from './field-types.ts';

/**
 * Returns a text. Lists that an index orders compare its first 1,000 bytes (a sort key has 1,024), then the identifier.
 */
export const text = (label: string, options: Partial<Omit<TextField, 'kind' | 'label'>> = {}): TextField => ({
  kind: 'text',
  label,
  ...options,
});

/** Returns an e-mail address that HTML's `<input type=email>` accepts. */
export const email = (label: string, example: string): TextField =>
  text(label, { format: 'email', maximum: 254, example });

/** Returns the address of a page, `http` or `https`, that HTML's `<input type=url>` accepts. */
export const url = (label: string, options: Partial<Omit<TextField, 'kind' | 'label'>> = {}): TextField =>
  text(label, { format: 'url', maximum: 2000, example: 'https://example.org/', ...options });

/** True or false. */
export const boolean = (label: string, options: Omit<BooleanField, 'kind' | 'label'> = {}): BooleanField => ({
  kind: 'boolean',
  label,
  ...options,
});

/** Returns a day without a time, such as a due date. */
export const date = (label: string, options: Omit<DateField, 'kind' | 'label'> = {}): DateField => ({
  kind: 'date',
  label,
  ...options,
});

/** Returns a time that a client sets, such as a deadline. The service shows it in UTC with ms. */
export const dateTime = (
  label: string,
  options: Omit<DateTimeField, 'kind' | 'label'> = {},
): DateTimeField => ({ kind: 'dateTime', label, ...options });

/** Returns a whole number that JSON readers represent exactly. Source: RFC 8259 §6. */
export const integer = (
  label: string,
  options: Partial<Omit<IntegerField, 'kind' | 'label'>> = {},
): IntegerField => ({ kind: 'integer', label, minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options });

/** Returns a value of one of these JSON types; without types, any JSON value. */
export const anyValue = (label: string, options: Omit<AnyField, 'kind' | 'label'> = {}): AnyField => ({
  kind: 'any',
  label,
  ...options,
});

/** Returns a time that the service sets. */
export const timestamp = (
  label: string,
  options: Omit<TimestampField, 'kind' | 'label'> = {},
): TimestampField => ({ kind: 'timestamp', label, ...options });

/** Returns an exact decimal of up to 38 significant digits, the precision of the store. */
export const decimal = (
  label: string,
  options: Pick<DecimalField, 'minimum' | 'below'> & Partial<Omit<DecimalField, 'kind' | 'label'>>,
): DecimalField => ({ kind: 'decimal', label, digits: 38, ...options });

/**
 * Returns an exact amount of money: 0 or more, below 10^15. `currency`: its code, such as `EUR`. `decimals`: the most
 * digits after the decimal point, 2 for most currencies.
 */
export const money = (
  label: string,
  example: number,
  options: Partial<Omit<DecimalField, 'kind' | 'label' | 'example'>> = {},
): DecimalField =>
  decimal(label, { minimum: 0, below: 1e15, least: 1e-129, example, money: true, ...options });

/** Bytes with a media type in a range. Source: Specification 2.21. */
export const binary = (label: string, options: Pick<BinaryField, 'accepts'>): BinaryField => ({
  kind: 'binary',
  label,
  seldom: true,
  ...options,
});

/** Returns a property with properties of its own, which the service sets. */
export const structure = (
  label: string,
  fields: Fields,
  options: Partial<Omit<StructureField, 'kind' | 'label' | 'fields'>> = {},
): StructureField => ({
  kind: 'structure',
  label,
  fields,
  server: true,
  required: Object.keys(fields),
  ...options,
});

/** A property with properties of its own, which clients set, such as an address. `required`: those it must have. */
export const object = (
  label: string,
  fields: Fields,
  options: Partial<Omit<StructureField, 'kind' | 'label' | 'fields' | 'server'>> = {},
): StructureField => ({ kind: 'structure', label, fields, required: [], ...options });

/** An array of values of one kind, such as `array('Tags', text('Tag'))`. It has at most 1,000 without `maximum`. */
export const array = (
  label: string,
  of: Field,
  options: Partial<Omit<ArrayField, 'kind' | 'label' | 'of'>> = {},
): ArrayField => ({ kind: 'array', label, of, maximum: 1000, ...options });

/** Returns the text with a capital first letter. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
