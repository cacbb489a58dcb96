import type { JsonObject, JsonValue } from '../../json/value.ts';
import { emptyObject, setMember } from '../../json/value.ts';
import type { ReadDocument } from '../representation.ts';
import { type Element, refuseText, Unreadable } from '../xml/xml-element.ts';
import { numberOf, readElements } from '../xml/xml-reader.ts';

const LISTS: readonly string[] = ['items', 'files'];

/**
 * Reads the files of an XML document as the JSON document with the same content. The root is one file if it has a name
 * of a file. It is an object with a list if its only element is `items` or `files`. Otherwise it is the list itself,
 * whose elements may have any name.
 *
 * Source: Specification 2.43, 5.17.
 */
export const filesInXml = (bytes: Uint8Array, contentType: string): Promise<ReadDocument> =>
  readElements(bytes, contentType, filesOf);

function filesOf(root: Element): JsonValue {
  const children = root.children.filter(({ name }) => name !== 'links');
  const [first, ...others] = children;
  if (children.some(({ name }) => name === 'filename' || name === 'name')) return fileOf(root);
  if (first && others.length === 0 && LISTS.includes(first.name)) return { [first.name]: listOf(first) };
  return listOf({ ...root, children });
}

function listOf(list: Element): JsonValue[] {
  refuseText(list);
  return list.children.map(fileOf);
}

/** A file. Its size is a number, and all other properties are texts. */
function fileOf(element: Element): JsonObject {
  refuseText(element);
  const file = emptyObject();
  for (const { name, text, children } of element.children) {
    if (Object.hasOwn(file, name)) throw new Unreadable(`The element ${name} occurs twice: send it once`);
    const value = name === 'size' ? (numberOf(text.trim()) ?? text) : text;
    setMember(file, name, children.length > 0 ? [] : value);
  }
  return file;
}
