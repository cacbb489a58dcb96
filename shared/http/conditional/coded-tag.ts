import { CODINGS, type Coding } from '../fields/accept-encoding.ts';
import { type EntityTag, formatEntityTag, parseEntityTags } from './entity-tag.ts';

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

const SUFFIX = new RegExp(`-(?:${CODINGS.join('|')})$`);

/** The entity tags of a field, each without its coding. `*` and malformed fields stay as they are. */
export function withoutCodings(field: string | undefined): string | undefined {
  const tags = field === undefined ? undefined : parseEntityTags(field);
  if (tags === undefined || tags === '*') return field;
  return tags.map((tag) => formatEntityTag({ ...tag, opaque: tag.opaque.replace(SUFFIX, '') })).join(', ');
}
