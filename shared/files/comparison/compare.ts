import type { Comparison, Counted } from '../../aws/clients/queue.ts';
import { currentTime } from '../../aws/clock.ts';
import { log } from '../../aws/log.ts';
import { bucketIdentity, identityIn, type PairedTable, pair } from './pairing.ts';

/**
 * What one key needs. `repair`: a row that is missing, or describes an earlier object. `remove`: a row without an object,
 * or an object without a name. `expire`: an object that has no name because its version may have expired.
 */
export interface Difference {
  readonly kind: 'repair' | 'remove' | 'expire';
  /** The names of the tables that say so. */
  readonly by: readonly string[];
  /** Makes both stores agree. Returns false if another writer did so, or must do so. */
  apply(): Promise<boolean>;
}

/**
 * A compared key. `named`: the table that names its object, so that table and bucket belong together. `isOutside`: no
 * table of this release can name it.
 */
export interface Compared {
  readonly key: string;
  readonly isOutside?: true;
  readonly named?: string | undefined;
  readonly difference?: Difference | undefined;
}

/** The bucket, and the tables that name its objects. */
export interface ComparedStores {
  readonly of: Comparison['of'];
  readonly tables: readonly PairedTable[];
  /** Yields all keys after a key, in their order. @throws Unavailable if an engine does not respond */
  walk(after: string | undefined): AsyncIterable<Compared>;
}

/** The bytes of expired versions end together if one bulk request replaced them. */
const MAX_SHARE = { remove: 0.01, expire: 0.2 } as const;
/** So many removals are always allowed. */
const FEW = 100;

/**
 * What a run has changed. `rest`: the message that continues the work; absent: it is complete. `stopped`: the comparison
 * changes nothing more. `removals` of `total` keys: what it has counted.
 */
export type Outcome =
  | { readonly kind: 'compared'; readonly changed: number; readonly rest?: Comparison }
  | {
      readonly kind: 'stopped';
      readonly reason: string;
      readonly removals?: number;
      readonly total?: number;
    };

const NOTHING: Counted = { total: 0, differences: 0, remove: 0, expire: 0, naming: [], by: [] };

/**
 * Compares two stores and makes them agree, in two passes: the first one only counts. It stops and removes nothing if a
 * table belongs to another bucket, or if the removals would be more than 100 and more than a share of everything. An
 * operator can confirm the removals. A run ends soon after `deadline`, in ms since the epoch.
 *
 * Source: Specification 5.4.
 *
 * @throws Unavailable if an engine does not respond
 */
export async function compare(
  stores: ComparedStores,
  comparison: Comparison,
  deadline: number,
): Promise<Outcome> {
  const { confirm, removes } = comparison;
  if (confirm) await pair(stores.tables, true);
  const identity = await bucketIdentity();
  const found = await Promise.all(stores.tables.map(async (one) => ({ one, of: await identityIn(one) })));
  const foreign = found.filter(({ of }) => of !== undefined && of !== identity).map(({ one }) => one.name);
  if (foreign.length > 0) return stop(`another bucket than that of ${foreign.join(', ')}`);
  if (confirm || removes !== undefined) return change(stores, comparison, deadline);
  const unpaired = found.filter(({ of }) => of === undefined).map(({ one }) => one);
  return count(stores, comparison, { unpaired, deadline });
}

/** Compares everything while no writer runs, and logs why it stops. */
export async function compareWhole(stores: ComparedStores): Promise<void> {
  let rest: Comparison | undefined = { of: stores.of };
  while (rest) {
    const outcome = await compare(stores, rest, Number.POSITIVE_INFINITY);
    if (outcome.kind === 'stopped') log('error', { compared: stores.of, ...outcome });
    rest = outcome.kind === 'compared' ? outcome.rest : undefined;
  }
}

/** Counts the differences. A message of an earlier release has no numbers, so its count begins again. */
async function count(
  stores: ComparedStores,
  { of, after, counted: before }: Comparison,
  { unpaired, deadline }: { readonly unpaired: readonly PairedTable[]; readonly deadline: number },
): Promise<Outcome> {
  let counted = before ?? NOTHING;
  for await (const compared of stores.walk(before && after)) {
    if (!compared.isOutside) counted = withOne(counted, compared);
    if (currentTime() > deadline)
      return { kind: 'compared', changed: 0, rest: { of, after: compared.key, counted } };
  }
  const { total, differences, remove, expire, naming, by } = counted;
  const numbers = { removals: remove + expire, total };
  // The first comparison believes all tables if one of them names an object of the bucket.
  const isProved = naming.length > 0 && unpaired.length === stores.tables.length;
  const unknown = unpaired.map(({ name }) => name).filter((one) => by.includes(one) && !naming.includes(one));
  if (!isProved && unknown.length > 0) return stop(`no object that ${unknown.join(', ')} names`, numbers);
  if (exceeds(remove, total * MAX_SHARE.remove) || exceeds(expire, total * MAX_SHARE.expire))
    return stop('too many removals', numbers);
  if (unpaired.length > 0) await pair(unpaired);
  return {
    kind: 'compared',
    changed: 0,
    ...(differences > 0 ? { rest: { of, removes: remove + expire } } : {}),
  };
}

const stop = (reason: string, numbers: { readonly removals?: number; readonly total?: number } = {}) =>
  ({ kind: 'stopped', reason, ...numbers }) as const;

const exceeds = (removals: number, share: number): boolean => removals > FEW && removals > share;

function withOne({ total, ...counted }: Counted, { named, difference }: Compared): Counted {
  const naming =
    named === undefined || counted.naming.includes(named) ? counted.naming : [...counted.naming, named];
  if (!difference) return { ...counted, total: total + 1, naming };
  const { kind, by } = difference;
  const differences = counted.differences + 1;
  if (kind === 'repair') return { ...counted, total: total + 1, naming, differences };
  const both = [...new Set([...counted.by, ...by])];
  return { ...counted, total: total + 1, naming, differences, by: both, [kind]: counted[kind] + 1 };
}

/** Makes the stores agree. It removes at most as much as the count allows. */
async function change(
  stores: ComparedStores,
  { of, after, confirm, removes = Number.POSITIVE_INFINITY }: Comparison,
  deadline: number,
): Promise<Outcome> {
  let left = removes;
  let changed = 0;
  for await (const { key, difference } of stores.walk(after)) {
    const isRemoval = difference !== undefined && difference.kind !== 'repair';
    if (isRemoval && left === 0) return stop('more removals than it counted');
    if (await difference?.apply()) {
      changed += 1;
      if (isRemoval) left -= 1;
    }
    if (currentTime() > deadline)
      return {
        kind: 'compared',
        changed,
        rest: { of, after: key, ...(confirm ? { confirm } : { removes: left }) },
      };
  }
  return { kind: 'compared', changed };
}
