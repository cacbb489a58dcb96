import { html } from 'hono/html';
import { Decimal } from '../json/decimal.ts';
import { isShownBinary } from '../resource/binary.ts';
import type { Markup } from './markup.ts';

/** A digest. Source: RFC 9530 §2, a dictionary of byte sequences. */
const DIGEST = /^[a-z0-9-]+=:[A-Za-z0-9+/=]+:$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The value of a property for people: texts unchanged, times readable, digests and nested values as JSON. */
export function shown(value: unknown): Markup | string {
  if (value === undefined || value === null || value === '') return html`<span class="none">none</span>`;
  if (value instanceof Decimal) return value.canonical().text;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return html`<code>${JSON.stringify(value)}</code>`;
  if (DIGEST.test(value)) return html`<code>${value}</code>`;
  if (TIMESTAMP.test(value)) {
    return html`<time datetime="${value}">${value.slice(0, 10)} ${value.slice(11, 19)} UTC</time>`;
  }
  return value;
}

/**
 * The bytes of a binary property: a picture, or a link to them; undefined for any other property. `alt`: the text for
 * the picture. Source: Specification 2.23.
 */
export function shownBytes(value: unknown, name: string, alt: string): Markup | undefined {
  if (!isShownBinary(value, name)) return undefined;
  const { href, contentType, size } = value;
  if (/^image\//i.test(contentType))
    return html`<a href="${href}"><img src="${href}" alt="${alt}" loading="lazy"></a>`;
  return html`<a href="${href}">${contentType}${size !== undefined && html`, ${size} bytes`}</a>`;
}
