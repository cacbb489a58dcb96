import { Decimal } from '../../json/decimal.ts';
import { parseJson } from '../../json/parse.ts';
import { decodeUtf8 } from '../../json/utf8.ts';
import { type JsonObject, type JsonValue, setMember } from '../../json/value.ts';
import { type Description, isServerField } from '../../resource/description/description.ts';
import type { ReadDocument } from '../representation.ts';

/** Maximum depth of nested elements, as for JSON. */
const MAXIMUM_DEPTH = 64;

interface Element {
  readonly name: string;
  readonly type: string | undefined;
  readonly children: Element[];
  text: string;
}

/** The document is malformed or has a document type. */
class Unreadable extends Error {}

/**
 * Reads an item from XML by its description. Declared fields have the type of their description, undeclared
 * properties that of their `type` attribute. A closed resource ignores unknown elements. The root may have any
 * name. The document must be UTF-8, without document type, and with no other entities than the five of XML.
 *
 * Source: Specification 2.39 to 2.43.
 */
export async function readXml(
  bytes: Uint8Array,
  description: Description,
  list?: string,
): Promise<ReadDocument> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
  try {
    const root = await parse(text);
    return { value: isList(root, description, list) ? listOf(root, description) : itemOf(root, description) };
  } catch (error) {
    if (error instanceof Unreadable) return { fault: { detail: error.message, pointer: '' } };
    throw error;
  }
}

async function parse(text: string): Promise<Element> {
  // The first XML document loads the parser, so cold starts do not load it.
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ position: true });
  const open: Element[] = [];
  let root: Element | undefined;
  const refuse = (why: string): never => {
    throw new Unreadable(why);
  };
  parser.on('error', (error) => refuse(error.message));
  parser.on('doctype', () => refuse('A document type is not allowed'));
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^(?:utf-8|us-ascii)$/i.test(encoding))
      refuse('The encoding must be UTF-8');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length >= MAXIMUM_DEPTH) refuse(`Elements are nested deeper than ${MAXIMUM_DEPTH}`);
    const one: Element = { name, type: attributes.type?.toString(), children: [], text: '' };
    open.at(-1)?.children.push(one);
    root ??= one;
    open.push(one);
  });
  parser.on('closetag', () => void open.pop());
  const characters = (part: string) => {
    const current = open.at(-1);
    if (current) current.text += part;
  };
  parser.on('text', characters);
  parser.on('cdata', characters);
  parser.write(text).close();
  return root ?? refuse('There is no root element');
}

/**
 * Whether the root is a list: it has the exact plural name, and its elements have the singular name. Links may
 * follow them.
 */
const isList = ({ name, children }: Element, { singular }: Description, list: string | undefined): boolean =>
  name === list && children.every((one) => one.name === singular || one.name === 'links');

function listOf(root: Element, description: Description): JsonValue {
  const elements = root.children.filter(({ name }) => name === description.singular);
  return elements.map((one) => itemOf(one, description));
}

function itemOf(root: Element, description: Description): JsonObject {
  if (root.text.trim() !== '')
    throw new Unreadable(`There is text between the elements of ${root.name}: remove it`);
  const item: JsonObject = {};
  for (const member of root.children) {
    const { name } = member;
    const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
    const known =
      field ?? (isServerField(description, name) ? { kind: identifierKind(description, name) } : undefined);
    if (!known && !description.open) continue;
    if (Object.hasOwn(item, name)) throw new Unreadable(`The element ${name} occurs twice: send it once`);
    const isOpen = !known || known.kind === 'any';
    setMember(item, name, isOpen ? openValue(member) : describedValue(member, known.kind));
  }
  return item;
}

const identifierKind = ({ identifier }: Description, name: string): string =>
  name === identifier.name ? identifier.kind : 'text';

/**
 * The value of a declared field. Text that is not a number stays text, and the validator refuses it with its
 * pointer.
 */
function describedValue({ children, text, type }: Element, kind: string): JsonValue {
  if (type === 'null') return null;
  // No declared field has child elements. The service ignores links. For other fields, the validator refuses the
  // array.
  if (children.length > 0) return [];
  return kind === 'integer' || kind === 'decimal' ? (numberOf(text.trim()) ?? text) : text;
}

/** A JavaScript number if it has the same digits, otherwise an exact decimal. */
function numberOf(text: string): number | Decimal | undefined {
  const decimal = text.length <= 1000 ? Decimal.parse(text) : undefined;
  if (!decimal) return undefined;
  return String(Number(text)) === text && text !== '-0' ? Number(text) : decimal;
}

/**
 * The value of an undeclared property, by its `type`. Without one it is a text, or an array if all children are
 * `<item>`.
 */
function openValue({ name, type, children, text }: Element): JsonValue {
  if (children.length > 0) {
    if (type === undefined && text.trim() === '' && children.every((one) => one.name === 'item')) {
      return children.map(openValue);
    }
    throw new Unreadable(
      `${name} has child elements other than <item>: send them as JSON text with type="json"`,
    );
  }
  switch (type) {
    case undefined:
    case 'text':
      return text;
    case 'null':
      return text === '' ? null : wrong(name, type);
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : wrong(name, type);
    case 'number':
      return numberOf(text.trim()) ?? wrong(name, type);
    case 'json': {
      const parsed = parseJson(text);
      return 'value' in parsed ? parsed.value : wrong(name, type);
    }
    default:
      return wrong(name, type);
  }
}

function wrong(name: string, type: string): never {
  throw new Unreadable(`The text of ${name} does not match its type="${type.slice(0, 20)}"`);
}
