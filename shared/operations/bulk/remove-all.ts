import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Problem } from '../../http/problem.ts';
import type { Caller } from '../../resource/access/owner.ts';
import type { BulkCall } from '../../resource/actions/action.ts';
import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { PageQuery } from '../../resource/lists/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { checkConstraints, constrainsRemoval } from '../../store/constraints/check-constraints.ts';
import { sortKey } from '../../store/form/sort-key.ts';
import type { Partition } from '../../store/form/table.ts';
import { lastVersions } from '../../store/history/removed-version.ts';
import { recordAnswer } from '../../store/idempotency/answers.ts';
import { Pages } from '../../store/lists/pages.ts';
import { bytesOfChange, itemsPerStep, portionsOf } from '../../store/write/fitting.ts';
import { MAXIMUM_PARTS } from '../../store/write/limits.ts';
import { lastIdentifier } from '../../store/write/new-item.ts';
import { removal } from '../../store/write/write-requests.ts';
import type { Failed } from '../running/advance.ts';
import { inOneTransaction } from './in-one-transaction.ts';
import { tooMany, type Within } from './problems.ts';
import { runSteps } from './steps.ts';

/**
 * Removes all items. If they fit into one transaction, it removes all of them or none. Otherwise the outcome is
 * `mustDefer`. The operation removes the items that existed at the time of acceptance.
 *
 * Source: Specification 9.6.
 *
 * @throws Unavailable if DynamoDB does not respond, or if conflicts with other writers continue
 */
export async function removeAll(resource: Resource, input: BulkCall, within: Within): Promise<Outcome> {
  const { caller, work } = input;
  const reading = new ItemScan(resource, caller, within, work?.acceptedAt ?? Number.MAX_SAFE_INTEGER);
  if (work?.checkpoint.cursor === undefined) {
    const outcome = await whole(resource, input, reading);
    if (outcome.kind !== 'mustDefer' || !work) return outcome;
  }
  const total = work.checkpoint.cursor === undefined ? await reading.size() : work.checkpoint.total;
  const remaining = remainingItems();
  return runSteps(work, { ...work.checkpoint, total }, async ({ cursor }, failed, most) => {
    const limit = Math.min(itemsPerStep(resource, 'removal'), most);
    const { items: listed } = await reading.page(cursor, limit);
    const [chunk = []] = portionsOf(listed, limit, (before) => bytesOfChange(resource, { before }));
    const last = chunk.at(-1);
    if (!last) return undefined;
    const { parts, removed, refused } = await partsOf(resource, remaining.of(chunk, failed), caller);
    remaining.tries(removed);
    return {
      parts,
      done: removed.length,
      first: removed[0] && `/${resource.name}/${removed[0].id}`,
      failures: refused.map(({ id, problem }) => ({ href: `/${resource.name}/${id}`, problem })),
      cursor: String(last.id),
    };
  });
}

function whole(resource: Resource, input: BulkCall, reading: ItemScan): Promise<Outcome> {
  const { caller, maximum } = input;
  const remaining = remainingItems();
  return inOneTransaction(resource, input, async (failed) => {
    const { items: listed, next: isMore } = await reading.page(undefined, MAXIMUM_PARTS);
    const items = remaining.of(listed, failed);
    if (maximum !== undefined && (isMore || items.length > maximum)) {
      const affected = isMore ? await reading.size() : items.length;
      if (affected > maximum) return tooMany(affected, maximum, 'removed');
    }
    if (isMore) return { kind: 'mustDefer' };
    const outcome: Outcome = { kind: 'done', count: items.length };
    if (items.length === 0) return recordAnswer(input, outcome);
    const { parts, refused } = await partsOf(resource, items, caller);
    const [first] = refused;
    const changes = items.map((before) => ({ before }));
    if (!first) return { kind: 'attempt', changes, parts, others: [], outcome };
    const detail = `Nothing was removed. ${first.problem.detail} (${resource.name} ${first.id})`;
    return { kind: 'refused', problem: { ...first.problem, detail } };
  });
}

/**
 * Leaves out the items that earlier attempts found missing: an index may still list a removed item. At the beginning
 * of a step `failed` is empty.
 */
function remainingItems() {
  const gone = new Set<Item['id']>();
  let tried: readonly Item[] = [];
  return {
    of: (listed: readonly Item[], failed: Failed): readonly Item[] => {
      if (failed.length === 0) gone.clear();
      for (const { index, failure } of failed) {
        const id = tried[index]?.id;
        if (id !== undefined && !failure.Item) gone.add(id);
      }
      tried = listed.filter(({ id }) => !gone.has(id));
      return tried;
    },
    /** Notes the items whose removal an attempt tries, if they are not all. */
    tries: (items: readonly Item[]): void => {
      tried = items;
    },
  };
}

/** The removals of items in one transaction. `refused`: the items that a constraint keeps. */
interface Removals {
  readonly parts: readonly TransactWriteItem[];
  readonly removed: readonly Item[];
  readonly refused: readonly { readonly id: Item['id']; readonly problem: Problem }[];
}

/** The removals of the items, then what the constraints add. These depend on the version that the list shows. */
async function partsOf(resource: Resource, items: readonly Item[], caller: Caller): Promise<Removals> {
  const isConstrained = constrainsRemoval(resource);
  const { parts, refusals } = await checkConstraints(
    resource,
    items.map((before) => ({ before })),
  );
  const removed = items.filter((_, at) => !refusals.has(at));
  const ids = removed.map(({ id }) => id);
  const kept = resource.history && (await lastVersions(resource, ids, caller));
  const removals = removed.map(({ id, version }) => ({
    Delete: removal(resource, id, caller, kept?.get(id)?.version ?? (isConstrained ? version : undefined)),
  }));
  const refused = [...refusals].map(([at, problem]) => ({ id: (items[at] as Item).id, problem }));
  const versions = [...(kept?.values() ?? [])].map(({ part }) => part);
  return { parts: [...removals, ...parts, ...versions], removed, refused };
}

/**
 * Reads the items that a caller may see, in the order of their identifiers, up to those created at `until` (ms since the
 * epoch).
 */
class ItemScan {
  readonly #pages: Pages;
  readonly #caller: Caller;
  readonly #within: Partition | undefined;
  readonly #last: number;
  readonly #identifier: string;

  constructor(resource: Resource, caller: Caller, within: Partition | undefined, until: number) {
    this.#pages = new Pages(resource);
    this.#caller = caller;
    this.#within = within;
    this.#last = Math.min(lastIdentifier(until), Number.MAX_SAFE_INTEGER);
    this.#identifier = resource.description?.identifier.name ?? 'id';
  }

  /** The items after a cursor, and whether more follow. If items are large, a page has fewer than `limit`. */
  async page(
    cursor: string | undefined,
    limit: number,
  ): Promise<{ readonly items: Item[]; readonly next: boolean }> {
    const id = Number(cursor);
    const after = cursor === undefined ? undefined : { key: sortKey(undefined, id), id, backwards: false };
    const query: PageQuery = {
      limit,
      offset: 0,
      sortOrder: [{ field: this.#identifier, descending: false }],
      filters: [],
      after,
    };
    const listing = await this.#pages.list(this.#caller, query, this.#within);
    if (listing.kind !== 'page') throw new Error('The cursor is not a position of the list');
    const { items: all, next } = listing.page;
    const items = all.filter((one) => (one.id as number) <= this.#last);
    return { items, next: next !== undefined && items.length === all.length };
  }

  size(): Promise<number> {
    return this.#pages.size(this.#caller, this.#last, this.#within);
  }
}
