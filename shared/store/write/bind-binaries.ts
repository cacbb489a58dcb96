import type { BinaryStorage } from '../../resource/actions/capabilities.ts';
import type { Bytes } from '../../resource/actions/outcome.ts';
import { binaryField } from '../../resource/binary.ts';
import type { Item, StoredBinary } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { SentBinary } from '../../resource/sent.ts';

/** The changes of an item's binary properties: those that get bytes, and those that lose them. */
export interface BinaryChanges {
  readonly set: Readonly<Record<string, StoredBinary>>;
  readonly remove: readonly string[];
}

export const NO_CHANGES: BinaryChanges = { set: {}, remove: [] };

/** Returns the storage of the bytes. @throws Error if the resource declares none */
export function storageOf({ name, binaries }: Resource): BinaryStorage {
  if (!binaries) throw new Error(`The resource ${name} stores no bytes`);
  return binaries;
}

/**
 * Stores the bytes, then lets `write` name them in the item. The bytes exist before an item names them, so an item
 * never names bytes that do not exist. If the write fails, no item names them, and they are removed. After a crash,
 * the reconciliation removes them.
 *
 * Source: Specification 2.29.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function bindBinaries<Result extends { readonly kind: string }>(
  resource: Resource,
  id: number | string,
  { sent, now }: { readonly sent: readonly SentBinary[]; readonly now: number },
  write: (changes: BinaryChanges) => Promise<Result>,
): Promise<Result> {
  const changes = await storeBinaries(resource, id, sent, now);
  const result = await write(changes);
  if (result.kind !== 'written') await discardStored(resource, [changes]);
  return result;
}

/** Returns a new item that names its bytes, which are stored. @throws Unavailable if the storage does not respond */
export async function withBinaries(
  resource: Resource,
  item: Item,
  sent: readonly SentBinary[],
): Promise<Item> {
  if (sent.length === 0) return item;
  const { set: binaries } = await storeBinaries(resource, item.id, sent, item.createdAt);
  return { ...item, binaries };
}

/** Removes the bytes of items that were not written. */
export const discardBinaries = (resource: Resource, items: readonly Item[]): Promise<void> =>
  discard(
    resource,
    items.flatMap(({ binaries = {} }) => Object.values(binaries)),
  );

/** Removes bytes that no item names. If this fails, the reconciliation removes them later. */
async function discard(resource: Resource, unnamed: readonly StoredBinary[]): Promise<void> {
  if (unnamed.length === 0) return;
  await storageOf(resource)
    .discard(unnamed.map(({ key }) => key))
    .catch(() => undefined);
}

/** Removes the bytes of changes that were not written. */
export const discardStored = (resource: Resource, changes: readonly BinaryChanges[]): Promise<void> =>
  discard(
    resource,
    changes.flatMap(({ set }) => Object.values(set)),
  );

/** Stores the bytes that a request sets. @throws Unavailable if the storage does not respond */
export async function storeBinaries(
  resource: Resource,
  id: number | string,
  sent: readonly SentBinary[],
  now: number,
): Promise<BinaryChanges> {
  if (sent.length === 0) return NO_CHANGES;
  const storage = storageOf(resource);
  // Any name is ordinary data, also `__proto__`.
  const set: Record<string, StoredBinary> = Object.create(null);
  const remove: string[] = [];
  for (const { name, sent: bytes } of sent) {
    if (bytes) set[name] = await storage.store({ resource: resource.name, id }, bytes, now);
    else remove.push(name);
  }
  return { set, remove };
}

/** Returns the bytes of an item's binary property; undefined if it has none. Reading them can throw Unavailable. */
export function bytesOf(resource: Resource, item: Item, name: string): Bytes | undefined {
  const stored = item.binaries?.[name];
  const isDeclared = binaryField(descriptionOf(resource), name) !== undefined;
  const bytes = stored && storageOf(resource).bytes(stored, isDeclared);
  return bytes && resource.history ? { ...bytes, history: 'present' } : bytes;
}
