import { FILES } from '../../../shared/files/uploads/record.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes, number, shardOf, sortKeys, text } from '../../../shared/store/form/attributes.ts';
import { IMPORTED, isSortAttribute, SHARD, UPDATED, VERSION } from '../../../shared/store/form/table.ts';

/** The changes of an import in an item. `tags`: the entity tags of its objects in S3, by their keys. */
interface Imported {
  readonly tags: ReadonlyMap<string, string>;
  readonly events: boolean;
  /** The version and the time (ms since the epoch) of an item that replaces a newer one. */
  readonly change?: { readonly version: number; readonly updatedAt: number } | undefined;
  readonly shards: number;
}

const WITHOUT_SECRET: Attributes = {
  active: { BOOL: false },
  status: text('suspended'),
  reason: text('An import has no secrets: create the subscription anew'),
};

/**
 * Returns the item that an import makes. A subscription has no secret then, and gets no events. It keeps no suspension by
 * operators, because the end of one would make it active.
 *
 * Source: Specification 18.3.
 */
export function itemAfterImport({ name }: Resource, exported: Attributes): Attributes {
  if (name !== 'subscriptions') return exported;
  const { suspendedBy: _by, wasActive: _active, formerReason: _reason, ...kept } = exported;
  return { ...kept, ...WITHOUT_SECRET };
}

/**
 * Returns the attributes that an import stores. The sort keys and the shard are those of this service, which may differ
 * from those of the exporting one. Without `events`, a mark names the version that causes no event.
 */
export function importedAttributes(
  resource: Resource,
  exported: Attributes,
  { tags, events, change, shards }: Imported,
): Attributes {
  const description = descriptionOf(resource);
  const attributes = Object.fromEntries(
    Object.entries(itemAfterImport(resource, exported)).filter(
      ([name]) => !isSortAttribute(name) && name !== IMPORTED,
    ),
  );
  if (change) {
    attributes[VERSION] = number(change.version);
    attributes[UPDATED] = number(change.updatedAt);
  }
  const item = fromAttributes(description, attributes);
  const tag = tags.get(`${FILES}${item.id}`);
  return {
    ...attributes,
    ...sortKeys(resource, item),
    [SHARD]: number(shardOf(item.id, shards)),
    // S3 makes another entity tag for an object of several parts, and the listing row repeats it.
    ...(tag === undefined ? {} : { _etag: text(tag) }),
    ...(events ? {} : { [IMPORTED]: number(item.version) }),
  };
}
