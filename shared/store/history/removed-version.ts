import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { currentTime } from '../../aws/clock.ts';
import { type Caller, ownerOf } from '../../resource/access/owner.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { identifierOf } from '../form/attributes.ts';
import { isVisible } from '../form/owner.ts';
import { VERSION } from '../form/table.ts';
import { readRows } from '../items/read-items.ts';
import { markAttributes } from '../write/write-requests.ts';
import { keeping } from './versions-table.ts';

/** The last version of an item, and the part of the transaction with its removal that keeps this version. */
export interface LastVersion {
  readonly version: number;
  readonly part: TransactWriteItem;
}

/**
 * Reads the last versions of items that a caller removes, by the identifiers of the items. The removal keeps its version
 * in its own transaction, so that it can be undone at once. The removal must have the condition that the item still has
 * this version.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function lastVersions(
  resource: Resource,
  ids: readonly (number | string)[],
  caller: Caller,
): Promise<ReadonlyMap<number | string, LastVersion>> {
  const description = descriptionOf(resource);
  const owner = ownerOf(resource, caller);
  const at = currentTime();
  const marks = markAttributes(at);
  const found = new Map<number | string, LastVersion>();
  for await (const row of readRows({ name: resource.name, description }, ids)) {
    if (!isVisible(row, owner)) continue;
    const put = keeping(resource, row, { ended: at, removal: { at, by: caller.subject }, marks });
    found.set(identifierOf(description, row), { version: Number(row[VERSION]?.N), part: { Put: put } });
  }
  return found;
}
