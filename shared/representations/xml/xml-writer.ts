import { Decimal } from '../../json/decimal.ts';
import { isXmlName } from '../../json/text.ts';
import type { JsonValue } from '../../json/value.ts';

/** Characters with a meaning in markup, and the carriage return, which parsers turn into a line feed. */
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

/**
 * Characters with a meaning in markup, and characters that XML 1.0 cannot carry. Problems quote the latter after
 * their refusal.
 */
const SPECIAL = /[&<>"\r\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/u;
const SPECIALS = new RegExp(SPECIAL, 'gu');

/** Text as character data or as an attribute's value. Source: XML 1.0 §2.2, §2.4, §2.11. */
export const escapeXml = (text: string): string =>
  SPECIAL.test(text) ? text.replace(SPECIALS, (one) => ESCAPES[one] ?? '\uFFFD') : text;

/**
 * Escapes line feeds and tabs too, because parsers turn them into spaces in an attribute. Source: XML 1.0 §3.3.3.
 */
const attribute = (text: string): string =>
  escapeXml(text).replace(/[\n\t]/g, (one) => `&#${one.charCodeAt(0)};`);

/** The name of an element of an array. */
export const ITEM = 'item';

/** Most names. The rule for names of every script is slower. */
const ASCII_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/;

/**
 * An element. `content` is markup.
 *
 * @throws Error when the name is not valid: names are from descriptions and validated properties
 */
export function element(
  name: string,
  content: string,
  attributes: Readonly<Record<string, unknown>> = {},
): string {
  if (!ASCII_NAME.test(name) && !isXmlName(name)) throw new Error(`'${name}' is not the name of an element`);
  let tag = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) tag += ` ${key}="${attribute(String(value))}"`;
  }
  return content === '' ? `<${tag}/>` : `<${tag}>${content}</${name}>`;
}

/**
 * An element for a value without description. An object has child elements, an array has one `<item>` for each value.
 * The type is an attribute unless the value is a text or the elements show it. If XML does not allow a name, the object is
 * JSON text.
 *
 * Source: Specification 2.41, D.3.
 */
export function openElement(name: string, value: JsonValue): string {
  if (typeof value === 'string') return element(name, escapeXml(value));
  if (value === null) return element(name, '', { type: 'null' });
  if (typeof value === 'boolean') return element(name, String(value), { type: 'boolean' });
  if (typeof value === 'number' || value instanceof Decimal)
    return element(name, JSON.stringify(value), { type: 'number' });
  if (Array.isArray(value)) {
    const content = value.map((one) => openElement(ITEM, one)).join('');
    return element(name, content, value.length === 0 ? { type: 'array' } : {});
  }
  const names = Object.keys(value);
  if (!names.every(isXmlName)) return element(name, escapeXml(JSON.stringify(value)), { type: 'json' });
  const content = Object.entries(value)
    .map(([key, inner]) => openElement(key, inner))
    .join('');
  return element(name, content, names.every((key) => key === ITEM) ? { type: 'object' } : {});
}

/**
 * An element for a JSON value: an object becomes child elements, an array repeated `itemName`, null an empty
 * element. If XML does not allow a name, the object is JSON text.
 */
export function plainElement(name: string, value: unknown, itemName: string): string {
  if (Array.isArray(value))
    return element(name, value.map((one) => plainElement(itemName, one, itemName)).join(''));
  if (value instanceof Decimal) return element(name, value.canonical().text);
  if (typeof value === 'object' && value !== null) {
    const children = Object.entries(value).filter(([, one]) => one !== undefined);
    if (!children.every(([key]) => isXmlName(key)))
      return element(name, escapeXml(JSON.stringify(value)), { type: 'json' });
    return element(name, children.map(([key, one]) => plainElement(key, one, itemName)).join(''));
  }
  return element(name, value === null || value === undefined ? '' : escapeXml(String(value)));
}
