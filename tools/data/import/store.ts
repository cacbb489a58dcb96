import { config } from '../../../shared/aws/config.ts';
import type { Problem } from '../../../shared/http/problem.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import { checkConstraints } from '../../../shared/store/constraints/check-constraints.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { fromAttributes, text } from '../../../shared/store/form/attributes.ts';
import { VERSION, WRITE } from '../../../shared/store/form/table.ts';
import { unlist } from '../../../shared/store/history/removed.ts';
import { keeping, rowKey, VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { attributeNotExists, compare, conditionExpression } from '../../../shared/store/write/expression.ts';
import { agree } from '../../../shared/store/write/stored-inventory.ts';
import { insert } from '../../../shared/store/write/transaction.ts';
import { newWriteToken } from '../../../shared/store/write/write-requests.ts';
import { importedAttributes } from './imported-attributes.ts';
import type { KnownVersions } from './known-versions.ts';

/** How to store an item of another time. */
interface Storing {
  /** The attributes of the item in the service; undefined: it does not exist. */
  readonly stored: Attributes | undefined;
  readonly known: KnownVersions;
  /** The last version that clients know; 0: none. */
  readonly last: number;
  /** The entity tags of the objects of the item in S3, by their keys. */
  readonly tags?: ReadonlyMap<string, string>;
  readonly events: boolean;
}

/** An item after its storage. `shared`: another item has a unique value of it. */
export type Stored =
  | { readonly kind: 'written' }
  | { readonly kind: 'shared'; readonly id: number | string; readonly problem: Problem };

/**
 * Stores an item of another time. If clients know its version or a later one, it becomes the version after the last one,
 * so no entity tag has two contents. It leaves the list of removed items, and the version that it replaces is kept.
 * Returns undefined if another writer has changed the item.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function store(
  resource: Resource,
  item: Attributes,
  { stored, known, last, tags = new Map(), events }: Storing,
): Promise<Stored | undefined> {
  const description = descriptionOf(resource);
  const isKnown = last >= Number(item[VERSION]?.N);
  const change = isKnown ? { version: last + 1, updatedAt: Date.now() } : undefined;
  // An item of the first release has no version.
  const condition = stored?.[VERSION]
    ? compare(VERSION, '=', stored[VERSION])
    : attributeNotExists(stored ? VERSION : description.identifier.name);
  const { shards } = await agree(resource);
  const Item = importedAttributes(resource, item, { tags, events, change, shards });
  const [before, after] = [stored && fromAttributes(description, stored), fromAttributes(description, Item)];
  const changes = [{ ...(before ? { before } : {}), after, wasStored: true }] as const;
  const { parts: constraints, refusals } = await checkConstraints(resource, changes);
  const token = newWriteToken();
  const put = {
    TableName: config.tableName(resource.name),
    Item: { ...Item, [WRITE]: text(token) },
    ...conditionExpression(condition),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
  const parts = [...constraints, ...(resource.history ? historyParts() : [])];
  if ((await insert(put, token, parts)) !== 'written') return undefined;
  const problem = refusals.get(0);
  return problem ? { kind: 'shared', id: after.id, problem } : { kind: 'written' };

  /** The stream keeps no version that an import replaced. Another writer can restore and remove the item at the same time. */
  function historyParts() {
    const isNew = conditionExpression(attributeNotExists(VERSIONS_TABLE.key));
    const Key = rowKey(resource, after.id, after.version);
    const isUnused = { ConditionCheck: { TableName: config.tableName(VERSIONS_TABLE.name), Key, ...isNew } };
    return [
      ...(stored && known.kept < Number(stored[VERSION]?.N)
        ? [{ Put: { ...keeping(resource, stored, { ended: after.updatedAt }), ...isNew } }]
        : []),
      ...(!stored && known.last > 0 ? [isUnused] : []),
      ...(known.isListed ? [unlist(resource, { id: after.id, version: known.kept })] : []),
    ];
  }
}
