import { html } from 'hono/html';
import { Decimal } from '../shared/json/decimal.ts';
import { isShownBinary } from '../shared/resource/binary.ts';
import type { DecimalField } from '../shared/resource/description/field-types.ts';
import type { Markup } from './markup.ts';

/** A digest. Source: RFC 9530 §2, a dictionary of byte sequences. */
const DIGEST = /^[a-z0-9-]+=:[A-Za-z0-9+/=]+:$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Returns the value of a property for people: texts unchanged, times to the minute, simple values of an array with
 * commas, digests and other nested values as JSON.
 */
export function showValue(value: unknown): Markup | string {
  if (value === undefined || value === null || value === '') return html`<span class="none">none</span>`;
  if (value instanceof Decimal) return value.canonical().text;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value) && value.length > 0 && value.every(isSimple)) return value.map(String).join(', ');
  if (typeof value !== 'string') return html`<code>${JSON.stringify(value)}</code>`;
  if (DIGEST.test(value)) return html`<code>${value}</code>`;
  if (TIMESTAMP.test(value)) {
    return html`<time datetime="${value}">${value.slice(0, 10)} ${value.slice(11, 16)} UTC</time>`;
  }
  return value;
}

/** True if a value reads well beside others: a number, or a text without a comma. */
const isSimple = (value: unknown): boolean =>
  typeof value === 'number' ||
  value instanceof Decimal ||
  (typeof value === 'string' && /^[^,\n]+$/.test(value));

/** True if a value reads well in a row of a table: a simple one of at most 40 characters, or several. */
export const isShort = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  typeof value === 'boolean' ||
  ((isSimple(value) || (Array.isArray(value) && value.every(isSimple))) && String(value).length <= 40);

/** Returns a value before and after a change, with its label. */
export const difference = (label: string, before: Markup | string, after: Markup | string): Markup =>
  html`<div>${label}: <del>${before}</del> → <ins>${after}</ins></div>`;

const UNITS = ['kB', 'MB', 'GB', 'TB', 'PB'];

/** Returns a number of bytes in the largest unit that leaves 1 or more, with two digits at least. Source: ISO 80000-13. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`;
}

/**
 * Returns an amount of money with its currency, if the field has one. It has every digit, and as many decimals as the
 * field allows, up to two.
 */
export function amountText(
  value: number | Decimal,
  { currency, decimals = 2 }: Pick<DecimalField, 'currency' | 'decimals'>,
): string {
  const { text } = Decimal.from(value).canonical();
  const [, whole, shown = ''] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = shown.padEnd(Math.min(decimals, 2), '0');
  const amount = whole === undefined ? text : digits === '' ? whole : `${whole}.${digits}`;
  return currency === undefined ? amount : `${amount} ${currency}`;
}

/**
 * Returns the bytes of a binary property: a picture, or a link to them; undefined for any other property. `alt`: the
 * text for the picture. Source: Specification 2.23.
 */
export function shownBytes(value: unknown, name: string, alt: string): Markup | undefined {
  if (!isShownBinary(value, name)) return undefined;
  const { href, contentType, size } = value;
  if (/^image\//i.test(contentType))
    return html`<a href="${href}"><img src="${href}" alt="${alt}" width="320" height="240" loading="lazy"></a>`;
  return html`<a href="${href}">${contentType}${size !== undefined && html`, ${sizeText(size)}`}</a>`;
}
