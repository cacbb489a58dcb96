import { CODINGS, type Coding } from '../fields/accept-encoding.ts';
import { MAXIMUM_BYTES } from '../maximum-sizes.ts';

/** An entity tag; `opaque` is the text between the quotes. Source: RFC 9110 §8.8.3. */
export interface EntityTag {
  readonly weak: boolean;
  readonly opaque: string;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const SPACE = 0x20;
const TAB = 0x09;
const DELETE = 0x7f;

/** An entity tag as a field value: `"xyz"` or `W/"xyz"`. Source: RFC 9110 §8.8.3. */
export function formatEntityTag(tag: EntityTag): string {
  return tag.weak ? `W/"${tag.opaque}"` : `"${tag.opaque}"`;
}

/** Reads a text that is exactly one entity tag; undefined otherwise. Source: RFC 9110 §8.8.3. */
export function parseEntityTag(text: string): EntityTag | undefined {
  return entityTagEnd(text, 0) === text.length ? tagOf(text) : undefined;
}

/**
 * Reads If-Match or If-None-Match: `*` or a list of tags, which may be empty; undefined if malformed. A comma
 * inside a tag does not separate tags, and empty members are skipped.
 *
 * Source: RFC 9110 §13.1.1, §5.6.1.
 */
export function parseEntityTags(field: string): '*' | readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  let separated = true;
  let at = 0;
  while (at < field.length) {
    const code = field.charCodeAt(at);
    if (code === SPACE || code === TAB) {
      at++;
    } else if (code === COMMA) {
      separated = true;
      at++;
    } else {
      const end = separated ? entityTagEnd(field, at) : -1;
      if (end < 0) return field.trim() === '*' ? '*' : undefined;
      tags.push(tagOf(field.slice(at, end)));
      separated = false;
      at = end;
    }
  }
  return tags;
}

/** True if both tags are strong and equal. Source: RFC 9110 §8.8.3.2. */
export function strongMatch(a: EntityTag, b: EntityTag): boolean {
  return !a.weak && !b.weak && a.opaque === b.opaque;
}

/** True if the tags are equal, weak or not. Source: RFC 9110 §8.8.3.2. */
export function weakMatch(a: EntityTag, b: EntityTag): boolean {
  return a.opaque === b.opaque;
}

/** The index after the entity tag that begins at `start`, or -1. A backslash in it escapes nothing. */
function entityTagEnd(text: string, start: number): number {
  const quote = text.startsWith('W/', start) ? start + 2 : start;
  if (text.charCodeAt(quote) !== QUOTE) return -1;
  for (let at = quote + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code <= SPACE || code === DELETE) return -1;
  }
  return -1;
}

/** Converts a well-formed text to its tag. */
function tagOf(text: string): EntityTag {
  const weak = text.charCodeAt(0) !== QUOTE;
  return { weak, opaque: text.slice(weak ? 3 : 1, -1) };
}

/**
 * The entity tag of a representation in a content coding: `"3.1-json"` becomes `"3.1-json-gzip"`. Other bytes need
 * another strong tag.
 *
 * Source: RFC 9110 §8.8.3.3.
 */
export const codedTag = ({ weak, opaque }: EntityTag, coding: Coding): EntityTag => ({
  weak,
  opaque: `${opaque}-${coding}`,
});

/**
 * Returns the entity tag of a file, from the one that the storage has for its bytes alone: the same bytes as another type are
 * another representation. The storage itself serves a file with more bytes, so both then have the same tag.
 *
 * Source: RFC 9110 §8.8.1.
 */
export function fileTag(facts: {
  readonly etag: EntityTag;
  readonly size: number;
  readonly mediaType: string;
}): EntityTag {
  const { weak, opaque } = facts.etag;
  if (facts.size > MAXIMUM_BYTES) return facts.etag;
  return { weak, opaque: `${opaque}.${encodeURIComponent(facts.mediaType)}` };
}

const SUFFIX = new RegExp(`-(?:${CODINGS.join('|')})$`);

/** The entity tags of a field, each without its coding. `*` and malformed fields stay as they are. */
export function withoutCodings(field: string | undefined): string | undefined {
  const tags = field === undefined ? undefined : parseEntityTags(field);
  if (tags === undefined || tags === '*') return field;
  return tags.map((tag) => formatEntityTag({ ...tag, opaque: tag.opaque.replace(SUFFIX, '') })).join(', ');
}
