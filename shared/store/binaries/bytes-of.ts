import type { Bytes } from '../../resource/actions/outcome.ts';
import { binaryField } from '../../resource/binary.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { storageOf } from './bind.ts';

/** The bytes of an item's binary property; undefined if it has none. Reading them can throw Unavailable. */
export function bytesOf(resource: Resource, item: Item, name: string): Bytes | undefined {
  const stored = item.binaries?.[name];
  const isDeclared = binaryField(descriptionOf(resource), name) !== undefined;
  const bytes = stored && storageOf(resource).bytes(stored, isDeclared);
  return bytes && resource.history ? { ...bytes, history: 'present' } : bytes;
}
