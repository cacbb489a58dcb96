import { config } from '../../../shared/aws/config.ts';
import { CONCURRENCY, mapConcurrently } from '../../../shared/concurrency/map-concurrently.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import { identifierOf } from '../../../shared/store/form/attributes.ts';
import { VERSION } from '../../../shared/store/form/table.ts';
import { unlist } from '../../../shared/store/history/removed.ts';
import { beginEpoch } from '../../../shared/store/items/log-epochs.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';
import { transact } from '../../../shared/store/write/transaction.ts';
import { knownVersions } from '../import/known-versions.ts';
import { store } from '../import/store.ts';
import { itemWith } from '../rows.ts';

/** Items that the command reads before it writes. */
const BATCH = 100;

/**
 * Makes the history of a resource agree with its table, which is of another time. An item whose later versions clients
 * can know gets the version after them, and an item that exists leaves the list of removed items. Then a new epoch of the
 * log begins, so followers read the collection anew. A repeated call changes only the epoch.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function reconcileHistory(resource: Resource, report: (line: string) => void): Promise<void> {
  const { name, history } = resource;
  if (!history) {
    report(`${name}: no history. Increase revision in its definition, because entity tags repeat`);
    return;
  }
  let [read, written] = [0, 0];
  let batch: Attributes[] = [];
  const settle = async () => {
    const results = await mapConcurrently(CONCURRENCY.items, batch, (item) => raise(resource, item));
    read += batch.length;
    written += results.filter(Boolean).length;
    batch = [];
  };
  for await (const item of itemRows(config.tableName(name))) {
    batch.push(item);
    if (batch.length === BATCH) await settle();
  }
  await settle();
  await beginEpoch(resource);
  report(`${name}: ${read} items, ${written} with a new version. Followers begin anew`);
}

/** Returns true if the item got a new version. */
async function raise(resource: Resource, found: Attributes): Promise<boolean> {
  const id = identifierOf(descriptionOf(resource), found);
  for (let stored: Attributes | undefined = found; stored; stored = await itemWith(resource, id)) {
    const known = await knownVersions(resource, id);
    if (known.last > Number(stored[VERSION]?.N)) {
      if (await store(resource, stored, { stored, known, last: known.last, events: true })) return true;
    } else {
      if (known.isListed) await transact([unlist(resource, { id, version: known.kept })]);
      return false;
    }
  }
  return false;
}
