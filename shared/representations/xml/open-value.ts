import { parseJson } from '../../json/parse.ts';
import { emptyObject, type JsonValue, jsonTypeOf, setMember } from '../../json/value.ts';
import { type Element, hasText, refuseText, Unreadable, within } from './xml-element.ts';
import { ITEM } from './xml-writer.ts';

/**
 * The value of an element that no description describes. Its `type` decides. Without one, children with one repeated
 * name, or only `<item>`, make an array. Other children make an object, and all else is text.
 *
 * Source: Specification 2.42, D.3.
 * @throws Unreadable if the content does not match the type, or if text is between the children
 */
export function openValue(element: Element): JsonValue {
  const { name, type, children, text } = element;
  if (children.length > 0) {
    refuseText(element);
    const isArray = type === undefined ? looksLikeArray(children) : type === 'array';
    if (isArray) return elementValues(children);
    return type === undefined || type === 'object' ? openMembers(children) : wrong(name, type);
  }
  switch (type) {
    case undefined:
    case 'text':
      return text;
    case 'json':
      return jsonOf(element, type);
    case 'object':
      return hasText(element) ? wrong(name, type) : emptyObject();
    case 'array':
      return hasText(element) ? wrong(name, type) : [];
    case 'null':
      return hasText(element) ? wrong(name, type) : null;
    case 'boolean':
    case 'number': {
      const value = jsonOf(element, type);
      return jsonTypeOf(value) === type ? value : wrong(name, type);
    }
    default:
      return wrong(name, type);
  }
}

/** True if the elements show an array. */
function looksLikeArray(children: readonly Element[]): boolean {
  const first = children[0]?.name;
  return (first === ITEM || children.length > 1) && children.every(({ name }) => name === first);
}

/** An object of the children. Children with one name are an array under that name. */
function openMembers(children: readonly Element[]): JsonValue {
  const object = emptyObject();
  for (const [name, elements] of byName(children))
    setMember(
      object,
      name,
      within(name, () => repeatedValue(elements)),
    );
  return object;
}

/** The elements of each name, in the order of their first elements. */
export function byName(children: readonly Element[]): ReadonlyMap<string, readonly Element[]> {
  const groups = new Map<string, Element[]>();
  for (const one of children) {
    const group = groups.get(one.name);
    if (group) group.push(one);
    else groups.set(one.name, [one]);
  }
  return groups;
}

/** The value of all elements of one name: an array if there are several. */
export function repeatedValue(elements: readonly Element[]): JsonValue {
  const [first, ...others] = elements;
  return first && others.length === 0 ? openValue(first) : elementValues(elements);
}

const elementValues = (elements: readonly Element[]): JsonValue[] =>
  elements.map((one, at) => within(String(at), () => openValue(one)));

function jsonOf({ name, text }: Element, type: string): JsonValue {
  const parsed = parseJson(text);
  return 'value' in parsed ? parsed.value : wrong(name, type);
}

function wrong(name: string, type: string): never {
  throw new Unreadable(`The content of ${name} does not match its type="${type.slice(0, 20)}"`);
}
