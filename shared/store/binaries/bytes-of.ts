import type { Bytes } from '../../resource/actions/outcome.ts';
import { binaryField } from '../../resource/binary.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { earlierKey, storageOf } from './bind.ts';

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * The bytes of an item's binary property; undefined if it has none. An earlier release may have stored bytes that the
 * item does not name.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function bytesOf(resource: Resource, item: Item, name: string): Promise<Bytes | undefined> {
  const earlier = earlierKey(resource, item.id, name);
  const stored =
    item.binaries?.[name] ??
    (earlier === undefined ? undefined : { key: earlier, contentType: UNKNOWN_TYPE });
  const isDeclared = binaryField(descriptionOf(resource), name) !== undefined;
  return stored && storageOf(resource).bytes(stored, isDeclared);
}
