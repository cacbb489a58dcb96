import { html } from 'hono/html';
import { Decimal } from '../json/decimal.ts';
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
