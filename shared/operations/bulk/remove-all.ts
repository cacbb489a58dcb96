import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { problem } from '../../http/problem.ts';
import { Unavailable } from '../../http/unavailable.ts';
import type { Asked } from '../../resource/action.ts';
import type { Item } from '../../resource/item.ts';
import { done, type Outcome, refused, stale } from '../../resource/outcome.ts';
import type { PageQuery } from '../../resource/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { lastIdentifier } from '../../store/identifier.ts';
import { keep, keepingOf } from '../../store/kept.ts';
import { Pages } from '../../store/pages.ts';
import { removal } from '../../store/parts.ts';
import { sortKey } from '../../store/sort-key.ts';
import { MAXIMUM_PARTS, transact } from '../../store/transaction.ts';
import { type Failed, STEP_PARTS } from '../advance.ts';
import type { BulkRules, Within } from './rules.ts';
import { workedOff } from './steps.ts';

/** How often a transaction that met other writers is made anew. */
const ATTEMPTS = 8;

/**
 * Removes all items that there are: in one transaction, or as an operation, which removes those that there were when it
 * was accepted and passes over those that must stay.
 */
export async function removeAll(
  resource: Resource,
  rules: BulkRules,
  asked: Asked,
  within: Within,
): Promise<Outcome> {
  const { work } = asked;
  const reading = new Reading(resource, within, work?.acceptedAt ?? Number.MAX_SAFE_INTEGER);
  if (work?.checkpoint.cursor === undefined) {
    const outcome = await whole(resource, rules, asked, reading);
    if (outcome.kind !== 'extensive' || !work) return outcome;
  }
  const total = work.checkpoint.cursor === undefined ? await reading.size() : work.checkpoint.total;
  let chunk: readonly Item[] = [];
  return workedOff(work, { ...work.checkpoint, total }, async ({ cursor }, failed) => {
    const along = rules.along ? 1 : 0;
    const kept = new Set(usedOf(chunk, rules, failed, along));
    // Whatever else failed was changed or removed by others: it is read again.
    chunk = (await reading.page(cursor, STEP_PARTS - along)).items;
    if (chunk.length === 0) return undefined;
    const removed = chunk.filter(({ id }) => !kept.has(id));
    const detail = rules.unused?.detail ?? '';
    return {
      parts: partsOf(resource, rules, removed),
      done: removed.length,
      failures: chunk
        .filter(({ id }) => kept.has(id))
        .map(({ id }) => ({ href: `/${resource.name}/${id}`, problem: problem('conflict', detail) })),
      cursor: String(chunk.at(-1)?.id),
    };
  });
}

async function whole(resource: Resource, rules: BulkRules, asked: Asked, reading: Reading): Promise<Outcome> {
  const { once, now, maximum } = asked;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { items, next } = await reading.page(undefined, MAXIMUM_PARTS);
    const isMore = next;
    if (maximum !== undefined && (isMore || items.length > maximum)) {
      const affected = isMore ? await reading.size() : items.length;
      if (affected > maximum)
        return refused('conflict', `${affected} would be removed, more than ${maximum}: nothing was`, {
          members: { affected, maximum },
        });
    }
    if (isMore) return { kind: 'extensive' };
    if (items.length === 0) return keep(asked, done);
    const kept = once ? (await keepingOf(once, done, now)).map((Put) => ({ Put })) : [];
    const parts = partsOf(resource, rules, items);
    if (parts.length + kept.length > MAXIMUM_PARTS) return { kind: 'extensive' };
    const failed = await transact([...parts, ...kept]);
    if (!failed) return done;
    if (failed.index >= parts.length) return stale;
    const used = usedOf(items, rules, failed.all, parts.length - items.length);
    if (used.length > 0) {
      return refused('conflict', `Nothing was removed. ${rules.unused?.detail}`, {
        errors: used.map((id) => ({ detail: `/${resource.name}/${id} must stay` })),
      });
    }
  }
  throw new Unavailable(new Error('The items were changed by others again and again'));
}

/** What goes along stands first. Where it counts on the items' states, these must be as they were read. */
function partsOf(
  resource: Resource,
  { along, unused }: BulkRules,
  items: readonly Item[],
): TransactWriteItem[] {
  const counts = along?.(items.map(({ values }) => ({ before: values }))) ?? [];
  return [
    ...counts,
    ...items.map(({ id, version }) => ({
      Delete: removal(resource, id, { version: along ? version : undefined, unused: unused?.count }),
    })),
  ];
}

/** The items that others count on, of those whose removal failed. `before`: parts that stand before them. */
const usedOf = (items: readonly Item[], { unused }: BulkRules, failed: Failed, before: number) =>
  failed.flatMap(({ index, failure }) =>
    unused && Number(failure.Item?.[`_${unused.count}`]?.N ?? 0) > 0 ? [items[index - before]?.id ?? 0] : [],
  );

/** The items in the order of their numbers, up to those of a moment. */
class Reading {
  readonly #pages: Pages;
  readonly #within: Within;
  readonly #last: number;
  readonly #sort: string;

  constructor(resource: Resource, within: Within, until: number) {
    this.#pages = new Pages(resource);
    this.#within = within;
    this.#last = Math.min(lastIdentifier(until), Number.MAX_SAFE_INTEGER);
    this.#sort = resource.description?.identifier.name ?? 'id';
  }

  /** Items behind a cursor, and whether there are more. A page may have less than its limit, where items are large. */
  async page(
    cursor: string | undefined,
    limit: number,
  ): Promise<{ readonly items: Item[]; readonly next: boolean }> {
    const id = Number(cursor);
    const after = cursor === undefined ? undefined : { key: sortKey(undefined, id), id, backwards: false };
    const query: PageQuery = { limit, offset: 0, sort: this.#sort, descending: false, after };
    const listing = await this.#pages.list(query, this.#within);
    if (listing === 'no-position' || 'beyond' in listing) throw new Error('A list has no such position');
    const items = listing.items.flatMap((one) =>
      'id' in one && (one.id as number) <= this.#last ? [one] : [],
    );
    return { items, next: listing.next !== undefined && items.length === listing.items.length };
  }

  size(): Promise<number> {
    return this.#pages.size(this.#last, this.#within);
  }
}
