import { isUtf8Label } from '../../http/fields/media-type.ts';
import { MAXIMUM_DEPTH } from '../../json/value.ts';

/** An element of a document. `name` is its local name, `type` the attribute of this name, or `null` by `xsi:nil`. */
export interface Element {
  readonly name: string;
  readonly type: string | undefined;
  readonly children: Element[];
  text: string;
}

/** The document is malformed, has a document type, or has content that no value can have. */
export class Unreadable extends Error {
  /** The names of the property with the fault and of those around it, from the outside. */
  readonly path: string[] = [];
}

/** Makes the value of a property. The path of its fault begins with the name. @throws Unreadable */
export function within<Value>(name: string, make: () => Value): Value {
  try {
    return make();
  } catch (error) {
    if (error instanceof Unreadable) error.path.unshift(name);
    throw error;
  }
}

/** True if the text between elements is more than the white space of the layout. Source: XML 1.0 §2.3. */
export const hasText = ({ text }: Element): boolean => /[^ \t\r\n]/.test(text);

/** @throws Unreadable if there is text between the children of an element */
export function refuseText(element: Element): void {
  if (hasText(element))
    throw new Unreadable(`There is text between the elements of ${element.name}: remove it`);
}

/**
 * The root element of a document without document type, and with no other entities than the five of XML.
 * `encodingIsKnown`: the encoding in the XML declaration does not count.
 *
 * @throws Unreadable if the document is malformed or too deep. The parser then stops at once.
 */
export async function parseElements(
  text: string,
  { encodingIsKnown }: { readonly encodingIsKnown: boolean },
): Promise<Element> {
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
    if (!encodingIsKnown && encoding !== undefined && !isUtf8Label(encoding))
      refuse('The encoding must be UTF-8');
  });
  parser.on('opentag', ({ name, attributes }) => {
    // Each object or array has an element. A value inside the innermost one has an element too.
    if (open.length > MAXIMUM_DEPTH) refuse(TOO_DEEP);
    const unknown = Object.keys(attributes).find(
      (one) => !KNOWN.test(one) && (root || !OF_LIST.includes(one)),
    );
    if (unknown !== undefined)
      refuse(`The attribute ${unknown} of ${localName(name)} has no meaning: send its value as an element`);
    const one: Element = {
      name: localName(name),
      type: isNil(attributes) ? 'null' : attributes.type?.toString(),
      children: [],
      text: '',
    };
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

/** Attributes that decide a type, and those that tools write about the document. The prefix of XML Schema is free. */
const KNOWN =
  /^(?:type|nil|xmlns(?::.*)?|xml:.*|[^:]+:(?:nil|type|schemaLocation|noNamespaceSchemaLocation))$/;

/** The attributes of the root of a list, as GET shows them. */
const OF_LIST = ['limit', 'offset', 'total'];

/** True if an element says that it has no value. Source: XML Schema 1.0 Part 1 §2.6.2. */
const isNil = (attributes: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(attributes).some(
    ([name, value]) => localName(name) === 'nil' && /^\s*(?:true|1)\s*$/.test(String(value)),
  );

/** The message about a value that nests too deep. */
export const TOO_DEEP = `Values are nested deeper than ${MAXIMUM_DEPTH}`;

/** The name without its prefix. Source: Specification 2.39. */
const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);
