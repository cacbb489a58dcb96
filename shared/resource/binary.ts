import type { EntityTag } from '../http/conditional/entity-tag.ts';
import type { JsonObject } from '../json/value.ts';
import type { Field } from './description/description.ts';
import type { BinaryField } from './description/field-types.ts';
import type { StoredBinary } from './item.ts';

/** Maximum number of binary properties of an item: the store has all of them in the 400 KB of an item. */
export const MAXIMUM_BINARIES = 50;

/** Returns the entity tag of the bytes of one write: the last segment of its key. Source: RFC 9110 §8.8.3. */
export const binaryTag = ({ key }: StoredBinary): EntityTag => ({
  weak: false,
  opaque: key.slice(key.lastIndexOf('/') + 1),
});

/** The path of the bytes, without base path. `collection`: the name of the resource. `version`: an earlier one. */
export const binaryHref = (collection: string, id: number | string, name: string, version?: number): string =>
  `/${collection}/${encodeURIComponent(id)}${version === undefined ? '' : `/versions/${version}`}?fields=${encodeURIComponent(name)}`;

/** The object that representations show for a binary property. `size` in bytes. Source: Specification 2.23. */
export interface ShownBinary {
  readonly href: string;
  readonly contentType: string;
  readonly size: number;
  readonly digest?: string;
}

/** Returns a binary property as representations show it. Source: Specification 2.23. */
export const shownBinary = (href: string, { contentType, size, sha256 }: StoredBinary): JsonObject => ({
  href,
  contentType,
  size,
  digest: formatSha256(sha256),
});

/** True if a value has the form of the object that representations show for the binary property `name`. */
export const isShownBinary = (value: unknown, name: string): value is ShownBinary =>
  typeof value === 'object' &&
  value !== null &&
  'href' in value &&
  'contentType' in value &&
  typeof value.href === 'string' &&
  typeof value.contentType === 'string' &&
  value.href.startsWith('/') &&
  value.href.endsWith(`?fields=${encodeURIComponent(name)}`);

/**
 * True if a value is the object that representations of this item show for the property. A client that sends it back
 * leaves the bytes as they are. `id`: undefined for a new item. Source: Specification 2.24.
 */
export const isOwnBinary = (
  value: unknown,
  name: string,
  { collection, id }: { readonly collection: string; readonly id: number | string | undefined },
): boolean =>
  id !== undefined && isShownBinary(value, name) && value.href.endsWith(binaryHref(collection, id, name));

/** Returns the declaration of a binary property; undefined if the name is undeclared or declared as something else. */
export const binaryField = (
  { fields }: { readonly fields: Readonly<Record<string, Field>> },
  name: string,
): BinaryField | undefined => {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field?.kind === 'binary' ? field : undefined;
};

/** Returns a digest field with one SHA-256. `sha256` in base64. Source: RFC 9530 §2, §5. */
export const formatSha256 = (sha256: string): string => `sha-256=:${sha256}:`;
