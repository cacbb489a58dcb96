import type { JsonValue } from '../../json/value.ts';
import { lazily } from '../../on-demand.ts';
import type { Description } from '../../resource/description/description.ts';
import { isServerField } from '../../resource/description/description.ts';
import type { Document, PlainRepresentation, Reader } from '../representation.ts';
import { element, ITEM, openElement, plainElement } from './xml-writer.ts';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

type Members = Readonly<Record<string, unknown>>;

/**
 * The properties of an item. The description gives the types of declared ones, the elements those of the others.
 */
function itemContent(
  members: Members,
  description: Document['description'],
  expansions: Document['expansions'] = [],
): string {
  if (!description) throw new Error('An item in XML needs its description');
  const { fields } = description;
  return Object.keys(members)
    .map((name) => {
      const expansion = expansions.find((one) => one.name === name);
      if (expansion) return relatedElement(name, members[name], expansion.relation.to.description);
      const known = Object.hasOwn(fields, name)
        ? fields[name]?.kind !== 'any'
        : isServerField(description, name);
      return known ? plainElement(name, members[name], ITEM) : openElement(name, members[name] as JsonValue);
    })
    .join('');
}

/** The related items of an expanded relation: one item, null for a missing one, or an array. */
function relatedElement(name: string, value: unknown, description: Description): string {
  if (value === null) return openElement(name, null);
  if (!Array.isArray(value)) return element(name, itemContent(value as Members, description));
  return element(name, value.map((one) => relatedElement(ITEM, one, description)).join(''));
}

function listElement({ name, elementName = ITEM, description, expansions, members }: Document): string {
  const { items, links, ignored, ...facts } = members as { items: readonly Members[] } & Members;
  const elements = items.map((one) => element(elementName, itemContent(one, description, expansions)));
  if (ignored) elements.push(plainElement('ignored', ignored, ITEM));
  return element(name, elements.join('') + plainElement('links', links, ITEM), facts);
}

type SeveralResult = Members & { readonly item?: Members };

/** The results of a request with several items. The item in a result is like an item of a list. */
function resultsElement({ name, description, members }: Document): string {
  const { items, links } = members as { items: readonly SeveralResult[]; links: unknown };
  const results = items.map(({ item, ...result }) => {
    const facts = Object.keys(result).map((key) => plainElement(key, result[key], ITEM));
    const own = item ? [element(ITEM, itemContent(item, description))] : [];
    return element(ITEM, [...facts, ...own].join(''));
  });
  return element(name, element('items', results.join('')) + plainElement('links', links, ITEM));
}

function write(document: Document): string {
  const { kind, name, members, description, expansions } = document;
  if (kind === 'list') return DECLARATION + listElement(document);
  if (kind === 'results') return DECLARATION + resultsElement(document);
  const content = kind === 'item' ? element(name, itemContent(members, description, expansions)) : undefined;
  return DECLARATION + (content ?? plainElement(name, members, ITEM));
}

/** XML. The description of the resource decides how it is read. Source: XML 1.0; RFC 7303. */
export const xml: PlainRepresentation & Reader = {
  mediaType: 'application/xml',
  mediaTypes: ['application/xml', 'text/xml'],
  contentType: 'application/xml',
  suffix: 'xml',
  write,
  read: lazily(() => import('./xml-reader.ts'), ['readXml']).readXml,
};

/**
 * The same format under its older name. Another media type is another representation, with another strong tag. Source:
 * RFC 7303 §9.2; RFC 9110 §8.8.1.
 */
export const textXml: PlainRepresentation = {
  ...xml,
  mediaType: 'text/xml',
  contentType: 'text/xml; charset=utf-8',
  suffix: 'txml',
};

/** Problem details as XML. Source: RFC 9457 appendix B. */
export const problemXml: PlainRepresentation = {
  mediaType: 'application/problem+xml',
  contentType: 'application/problem+xml',
  suffix: 'problem',
  write: ({ members }) => {
    const children = Object.entries(members).filter(([, value]) => value !== undefined);
    const content = children.map(([name, value]) => plainElement(name, value, 'i')).join('');
    return DECLARATION + element('problem', content, { xmlns: 'urn:ietf:rfc:7807' });
  },
};
