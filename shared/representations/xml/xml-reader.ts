import { parseContentType } from '../../http/fields/media-type.ts';
import { otherSpellingOf } from '../../http/request.ts';
import type { Decimal } from '../../json/decimal.ts';
import { decodeUtf8 } from '../../json/parse.ts';
import { formatPointer } from '../../json/pointer.ts';
import { isObject, type JsonObject, type JsonValue, MAXIMUM_DEPTH, setMember } from '../../json/value.ts';
import {
  type Description,
  type Field,
  isServerField,
  type StructureField,
} from '../../resource/description/description.ts';
import { integer, text as textField } from '../../resource/description/fields.ts';
import { declaredSpellingOf } from '../../resource/description/misspelt-names.ts';
import { kindOf } from '../../resource/kinds/kinds.ts';
import { numberIn } from '../../resource/kinds/numbers.ts';
import type { ReadDocument, Sending, SentListName } from '../representation.ts';
import { byName, repeatedValue } from './open-value.ts';
import { type Element, parseElements, refuseText, TOO_DEEP, Unreadable, within } from './xml-element.ts';
import { ITEM } from './xml-writer.ts';

/**
 * Reads an item from XML by its description. Declared fields have the type of their description, undeclared
 * properties that of their `type` attribute and their elements. A closed resource ignores unknown elements. The root
 * may have any name that is not of another resource, and prefixes of names do not count. The document must be UTF-8.
 *
 * Source: Specification 2.39 to 2.43.
 */
export const readXml = (
  bytes: Uint8Array,
  description: Description,
  list?: SentListName,
  { contentType = '', others = {} }: Partial<Sending> = {},
): Promise<ReadDocument> =>
  readElements(bytes, contentType, (root) => {
    const [, other] = Object.entries(others).find((names) => names.includes(root.name)) ?? [];
    if (other) throw new Unreadable(`The root element ${root.name} is of /${other}: send it there`);
    const elements = list && elementsOfList(root, description, list);
    return elements
      ? elements.map((one, at) => within(String(at), () => itemOf(one, description)))
      : itemOf(root, description);
  });

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/**
 * Reads a document. `take` makes the value from the root, or throws `Unreadable`. A byte order mark or a `charset` in
 * Content-Type decides the encoding, and the document only without both. Source: RFC 7303 §3.
 */
export async function readElements(
  bytes: Uint8Array,
  contentType: string,
  take: (root: Element) => JsonValue,
): Promise<ReadDocument> {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { fault: { detail: 'The body is not UTF-8', pointer: '' } };
  try {
    const encodingIsKnown =
      BYTE_ORDER_MARK.every((one, at) => bytes[at] === one) ||
      parseContentType(contentType)?.parameters.has('charset') === true;
    const value = take(await parseElements(text, { encodingIsKnown }));
    return depthOf(value) > MAXIMUM_DEPTH ? { fault: { detail: TOO_DEEP, pointer: '' } } : { value };
  } catch (error) {
    if (error instanceof Unreadable)
      return { fault: { detail: error.message, pointer: formatPointer(error.path) } };
    throw error;
  }
}

/** How many objects and arrays are around the innermost value. */
function depthOf(value: JsonValue): number {
  if (!Array.isArray(value) && !isObject(value)) return 0;
  let depth = 0;
  for (const one of Object.values(value)) depth = Math.max(depth, depthOf(one));
  return depth + 1;
}

/**
 * The elements of a list: they have the singular name, or `item`, and links may follow them. The root has the plural
 * name or `items`. If the request can only be a list, the root can have any name, and the list can be inside it.
 *
 * Source: Specification 2.43, 9.1, 9.5.
 */
function elementsOfList(
  root: Element,
  description: Description,
  { name, only }: SentListName,
): readonly Element[] | undefined {
  const isPlural = (one: Element) => one.name === name || one.name === 'items';
  const children = root.children.filter((one) => one.name !== 'links' && one.name !== 'ignored');
  const [first, ...others] = children;
  if (only && first && others.length === 0 && isPlural(first))
    return elementsOfList(first, description, { name });
  const fits = children.every((one) => one.name === description.singular || one.name === ITEM);
  return fits && (isPlural(root) || (only && first)) ? children : undefined;
}

function itemOf(root: Element, description: Description): JsonObject {
  refuseText(root);
  const item: JsonObject = {};
  for (const [name, elements] of byName(root.children)) {
    const field = declaredField(description, name);
    if (field === 'ignored') {
      // The name alone can be a fault.
      if (declaredSpellingOf(description, name)) setMember(item, name, null);
      continue;
    }
    const make = () => (field === 'open' ? repeatedValue(elements) : declaredValue(name, elements, field));
    setMember(item, name, within(name, make));
  }
  return item;
}

function declaredValue(name: string, [element, ...others]: readonly Element[], field: Field): JsonValue {
  if (others.length > 0) throw new Unreadable(`The element ${name} occurs twice: send it once`);
  return describedValue(element as Element, field);
}

/** How the description describes a property. `open`: the elements decide. */
function declaredField(
  { identifier, fields, open, ...rest }: Description,
  name: string,
): Field | 'open' | 'ignored' {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (field) return field.kind === 'any' ? 'open' : field;
  if (name === identifier.name)
    return identifier.kind === 'integer' ? integer(identifier.label) : textField(identifier.label);
  if (isServerField({ identifier, fields, open, ...rest }, name)) return textField(name);
  return open ? 'open' : 'ignored';
}

/**
 * The value of a declared field. Text without a value of its kind stays text, and the validator refuses it with its
 * pointer.
 */
function describedValue(element: Element, field: Field): JsonValue {
  const { children, text, type } = element;
  if (type === 'null') return null;
  // The service shows a binary property as an object, and leaves the bytes if a client sends it back.
  if (field.kind === 'binary' && children.length > 0)
    return Object.fromEntries(children.map((one) => [one.name, one.text]));
  if (children.length > 0 && (field.kind === 'array' || field.kind === 'structure')) {
    refuseText(element);
    if (field.kind === 'array') return children.map((one) => describedValue(one, field.of));
    if (field.several) return children.map((one) => structureValue(one, field));
    return structureValue(element, field);
  }
  // The service ignores links. For other fields, the validator refuses the array.
  if (children.length > 0) return [];
  // A number in XML has all spellings of a number, also as an identifier.
  if (field.kind === 'integer') return numberOf(text.trim()) ?? text;
  return kindOf(field).ofText(text, field);
}

/** The properties of a structure. Those of an open one that it does not declare have the value of their elements. */
function structureValue({ children }: Element, { fields, open }: StructureField): JsonObject {
  const object: JsonObject = {};
  for (const [name, elements] of byName(children)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const isIgnored = !field && !open;
    if (isIgnored && !otherSpellingOf(name, Object.keys(fields))) continue;
    const make = () =>
      isIgnored ? null : field ? declaredValue(name, elements, field) : repeatedValue(elements);
    setMember(object, name, within(name, make));
  }
  return object;
}

/** A JavaScript number if it has the same digits, otherwise an exact decimal; undefined if the text is not a number. */
export function numberOf(text: string): number | Decimal | undefined {
  const decimal = numberIn(text);
  if (!decimal) return undefined;
  return String(Number(text)) === text && text !== '-0' ? Number(text) : decimal;
}
