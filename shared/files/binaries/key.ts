import type { BinaryOwner } from '../../resource/actions/capabilities.ts';

/** The prefix of the bytes of binary properties. The name of the resource and the identifier of the item follow. */
export const BINARIES = 'binaries/';

/** Returns the key of the bytes of one write. `write` identifies the write. */
export const keyOf = ({ resource, id }: BinaryOwner, write: string): string =>
  `${BINARIES}${resource}/${id}/${write}`;

/** Returns the item that has the bytes under a key; undefined for another key. */
export function ownerOf(key: string): BinaryOwner | undefined {
  const [, resource, id] = /^binaries\/([^/]+)\/([0-9]+)\/[^/]+$/.exec(key) ?? [];
  return resource === undefined ? undefined : { resource, id: Number(id) };
}
