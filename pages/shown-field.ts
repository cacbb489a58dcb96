import { html } from 'hono/html';
import { Decimal } from '../shared/json/decimal.ts';
import type { Field, Fields } from '../shared/resource/description/description.ts';
import type { TextField } from '../shared/resource/description/field-types.ts';
import { capitalize } from '../shared/resource/description/fields.ts';
import { attribute, type Markup } from './markup.ts';
import { amountText, showValue, sizeText } from './shown-value.ts';
import { choiceInWords } from './words.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the value of a field for people: a percentage as a bar, money with decimals, a size with its unit, one of
 * several choices as a badge, a reference as a link, a nested value with its labels.
 */
export function shownField(value: unknown, field: Field | undefined): Markup | string {
  if (value === undefined || value === null || field === undefined) return showValue(value);
  if (field.kind === 'integer' && field.unit === 'percent')
    return html`<progress max="100" value="${value}">${value} %</progress> ${value} %`;
  if (field.kind === 'boolean' && typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field.kind === 'date') return html`<time datetime="${value}">${value}</time>`;
  if (field.kind === 'text' && field.format === 'url')
    return html`<a href="${value}" rel="external">${value}</a>`;
  if (field.kind === 'text' && field.format === 'email' && typeof value === 'string')
    return html`<a href="mailto:${encodeURIComponent(value).replace('%40', '@')}">${value}</a>`;
  if (field.kind === 'integer' && field.unit === 'bytes' && typeof value === 'number') return sizeText(value);
  if (field.kind === 'decimal' && field.money && (typeof value === 'number' || value instanceof Decimal))
    return amountText(value, field);
  if (field.kind === 'text' && field.choices) return badge(String(value), field);
  if (field.kind === 'text' && field.reference) return html`<a href="${value}">${value}</a>`;
  if (field.kind === 'array' && Array.isArray(value))
    return html`<ul>${value.map((one) => html`<li>${shownField(one, field.of)}</li>`)}</ul>`;
  if (field.kind !== 'structure') return showValue(value);
  if (!field.several) return nested(value as Members, field.fields);
  return html`<ul>${(value as readonly Members[]).map((one) => html`<li>${nested(one, field.fields)}</li>`)}</ul>`;
}

/** Returns one of several choices, with the color and the sign of its meaning. */
const badge = (choice: string, { meanings = {} }: TextField): Markup =>
  html`<b${meanings[choice] && attribute('class', meanings[choice])}>${choiceInWords(choice)}</b>`;

/** Declared properties with their labels, then undeclared ones. */
function nested(members: Members, fields: Fields): Markup {
  const names = [...Object.keys(fields).filter((name) => name in members), ...Object.keys(members)];
  const label = (name: string) => fields[name]?.label ?? capitalize(name);
  return html`<dl>${[...new Set(names)].map(
    (name) => html`<dt>${label(name)}</dt><dd>${shownField(members[name], fields[name])}</dd>`,
  )}</dl>`;
}
