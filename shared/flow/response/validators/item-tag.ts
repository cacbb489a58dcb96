import { createHash } from 'node:crypto';
import { withoutCodings } from '../../../http/conditional/coded-tag.ts';
import type { Preconditions, Validators } from '../../../http/conditional/conditions.ts';
import { type EntityTag, formatEntityTag, parseEntityTags } from '../../../http/conditional/entity-tag.ts';

/**
 * The entity tag of one representation of an item: its version, the revision of its definition, the format. `view`:
 * a text that identifies what the query selects; undefined: the whole item.
 */
export function itemTag(version: number, revision: number, suffix: string, view?: string): EntityTag {
  const selected = view === undefined ? '' : `.${digestOf(view)}`;
  return { weak: false, opaque: `${version}.${revision}${selected}-${suffix}` };
}

const digestOf = (view: string): string => createHash('sha256').update(view).digest('hex').slice(0, 16);

/** A tag that all representations of a version share. */
const versionTag = (version: number | string): string => `${version}.*`;

/** The entity tags of a field, with each tag of this service reduced to its version, without format and coding. */
function toVersionTags(field: string | undefined): string | undefined {
  const plain = withoutCodings(field);
  const tags = plain === undefined ? undefined : parseEntityTags(plain);
  if (tags === undefined || tags === '*') return field;
  return tags
    .map(({ weak, opaque }) => {
      const version = /^([0-9]+)\.[0-9]+(?:\.[0-9a-f]{16})?-[a-z]+[0-9]*$/.exec(opaque)?.[1];
      return formatEntityTag({ weak, opaque: version === undefined ? opaque : versionTag(version) });
    })
    .join(', ');
}

/**
 * Preconditions of a write, compared by version. The write changes the item in every format, so the tag of any
 * representation of the current version matches.
 */
export const versionPreconditions = (
  given: Preconditions,
  version: number,
  lastModified: number | undefined,
): { given: Preconditions; current: Validators } => ({
  given: { ...given, ifMatch: toVersionTags(given.ifMatch), ifNoneMatch: toVersionTags(given.ifNoneMatch) },
  current: { etag: { weak: false, opaque: versionTag(version) }, lastModified },
});
