import { DeleteItemCommand, GetItemCommand, type Put, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { JsonObject } from '../../json/value.ts';
import { lazily } from '../../on-demand.ts';
import { type Caller, ownerOf, SERVICE } from '../../resource/access/owner.ts';
import type { Description } from '../../resource/description/description.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { checkConstraints, constrainsRemoval, hasConstraints } from '../constraints/check-constraints.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { fromAttributes, keyAttribute, readable } from '../form/attributes.ts';
import { undeclaredIn } from '../form/binary-attributes.ts';
import { isVisible, visibleFailure } from '../form/owner.ts';
import { type BinaryChanges, bindBinaries, NO_CHANGES } from '../write/bind-binaries.ts';
import { conflictReason, failureOf, ownRetry, wasRetried } from '../write/conflict.ts';
import { MAXIMUM_UNSEEN } from '../write/limits.ts';
import { afterReplacement, isUnchanged, leftFields, wholeValues } from '../write/replacement.ts';
import {
  type InsertionResult,
  MISSING,
  type RemovalResult,
  STALE,
  type WriteResult,
} from '../write/results.ts';
import { agree } from '../write/stored-inventory.ts';
import { insert, retryingConflicts, transact } from '../write/transaction.ts';
import type { Insertion, Removal, Replacement } from '../write/write-options.ts';
import { insertion, newWriteToken, removal, replacement, sameVersion } from '../write/write-requests.ts';

const { lastVersions } = lazily(() => import('../history/removed-version.ts'), ['lastVersions']);

/** A replacement whose new bytes are stored. */
type ItemReplacement = Omit<Replacement, 'binaries' | 'stored'> & { readonly binaries: BinaryChanges };

/**
 * The items of one resource that one caller may see. For the caller, no other item exists. Every write is conditional: one
 * call of DynamoDB, or a transaction with further parts. All methods @throws Unavailable if DynamoDB does not respond.
 *
 * Source: Amazon DynamoDB API Reference, GetItem, PutItem, UpdateItem, DeleteItem, TransactWriteItems.
 */
export class Items {
  readonly #resource: Resource;
  readonly #caller: Caller;
  readonly #description: Description;
  readonly #owner: string | undefined;

  constructor(resource: Resource, caller: Caller) {
    this.#resource = resource;
    this.#caller = caller;
    this.#description = descriptionOf(resource);
    this.#owner = resource.owner && ownerOf(resource, caller);
  }

  /**
   * The item as last written, or undefined.
   * @throws UnreadableItem if its stored form is unknown
   */
  async get(id: number | string): Promise<Item | undefined> {
    const TableName = config.tableName(this.#resource.name);
    const Key = keyAttribute(this.#description, id);
    const read = new GetItemCommand({ TableName, Key, ConsistentRead: true });
    const { Item: attributes } = await orUnavailable(dynamoDb().send(read));
    if (!attributes || (this.#owner !== undefined && !isVisible(attributes, this.#owner))) return undefined;
    return readable(this.#resource.name, fromAttributes(this.#description, attributes));
  }

  /**
   * Stores a new item, in one transaction with the recorded answer.
   * `taken`: the identifier exists. `repeated`: another request recorded an answer under the same idempotency key.
   */
  insert(item: Item, { binaries: sent, ...others }: Insertion = {}): Promise<InsertionResult> {
    if (!sent?.length) return this.#insert(item, others);
    return bindBinaries(this.#resource, item.id, { sent, now: item.createdAt }, ({ set: binaries }) =>
      this.#insert(Object.keys(binaries).length > 0 ? { ...item, binaries } : item, others),
    );
  }

  async #insert(
    item: Item,
    { answersOf, parent, restores, last, others = [] }: Omit<Insertion, 'binaries'>,
  ): Promise<InsertionResult> {
    const write = newWriteToken();
    const { parts, refusals } = await checkConstraints(
      this.#resource,
      [{ after: item, ...(last && { last }) }],
      parent && [parent],
    );
    const problem = refusals.get(0);
    if (problem) return { kind: 'refused', problem };
    const put = insertion(await agree(this.#resource), item, { write, restores });
    const answers = (await answersOf?.(item)) ?? [];
    const kind = await insert(put, write, [...parts, ...others, ...answers.map((Put) => ({ Put }))]);
    return kind === 'written' ? { kind, item } : { kind };
  }

  /**
   * Replaces the values of an existing item. The identifier, the creation time and the values of `leftFields` stay. The
   * version increases. The write is one UpdateItem, or a transaction if constraints add parts, or if there is an answer
   * to record.
   */
  replace(
    id: number | string,
    values: JsonObject,
    { binaries: sent, stored, ...write }: Replacement,
  ): Promise<WriteResult> {
    if (stored || !sent?.length)
      return this.#replace(id, values, { ...write, binaries: stored ?? NO_CHANGES });
    return bindBinaries(this.#resource, id, { sent, now: write.now }, (binaries) =>
      this.#replace(id, values, { ...write, binaries }),
    );
  }

  async #replace(id: number | string, values: JsonObject, change: ItemReplacement): Promise<WriteResult> {
    const { now, version, before: known, answersOf, binaries } = change;
    const afterOf = (before: Item) =>
      afterReplacement(this.#description.plan, before, values, { now, caller: this.#caller }, binaries);
    const expected =
      known && (version === undefined || version === known.version) ? afterOf(known) : undefined;
    if (known && expected && isUnchanged(known, expected))
      return confirmUnchanged(this.#resource, known, await answersOf?.(known));
    const seen = version === known?.version ? known : undefined;
    if (!answersOf && this.#needsNoItem(values, seen))
      return this.#replaceAlone(id, values, { ...change, before: seen });
    const before = known ?? (await this.get(id));
    if (!before) return MISSING;
    if (version !== undefined && version !== before.version) return STALE;
    return this.#replaceVersion(before, expected ?? afterOf(before), change);
  }

  /** True if a replacement needs no other item, and of the item itself only `seen`, its version before the write. */
  #needsNoItem(values: JsonObject, seen: Item | undefined): boolean {
    const { plan } = this.#description;
    // A computed value can depend on a value that the write leaves.
    const isWhole = plan.computed.length === 0 || leftFields(plan, values).length === 0;
    const isShort = seen || undeclaredIn(this.#description, Object.keys(values)).length <= MAXIMUM_UNSEEN;
    return isWhole && Boolean(isShort) && !hasConstraints(this.#resource);
  }

  /** Replaces a version of an item, under the constraints of the resource. */
  async #replaceVersion(before: Item, after: Item, change: ItemReplacement): Promise<WriteResult> {
    const { id, version } = before;
    // The service clears references, also if the item then breaks a rule: a refusal would keep the reference.
    const wasStored = this.#caller === SERVICE;
    const written = { before, after, ...(wasStored && { wasStored }) };
    const { parts, refusals } = await checkConstraints(this.#resource, [written]);
    const problem = wasStored ? undefined : refusals.get(0);
    if (problem) {
      // The rules saw the item as it was before. After a change by another request, they may allow the write.
      const isCurrent = (await this.get(id))?.version === version;
      return isCurrent ? { kind: 'refused', problem } : STALE;
    }
    const exact = { ...change, version, before };
    const stored = wholeValues(this.#description.plan, after.values);
    if (!change.answersOf && parts.length === 0) return this.#replaceAlone(id, stored, exact);
    const failed = await transact([
      { Update: await this.#updateOf(id, stored, exact, newWriteToken()) },
      ...parts,
      ...((await change.answersOf?.(after)) ?? []).map((Put) => ({ Put })),
    ]);
    if (!failed) return { kind: 'written', item: after };
    // Another request recorded an answer under the same idempotency key, or changed what a constraint depends on.
    if (failed.index > 0) return STALE;
    return conflictReason(visibleFailure(failed.failure, this.#owner));
  }

  /** Replaces the values of an item by one UpdateItem. */
  async #replaceAlone(
    id: number | string,
    values: JsonObject,
    change: ItemReplacement,
  ): Promise<WriteResult> {
    const write = newWriteToken();
    const update = await this.#updateOf(id, values, change, write);
    try {
      const { Attributes: after } = await retryingConflicts(() =>
        dynamoDb().send(new UpdateItemCommand({ ...update, ReturnValues: 'ALL_NEW' })),
      );
      return { kind: 'written', item: fromAttributes(this.#description, after as Attributes) };
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      const own = ownRetry(failure, write);
      if (own) return { kind: 'written', item: fromAttributes(this.#description, own) };
      return conflictReason(visibleFailure(failure, this.#owner));
    }
  }

  /** Returns the conditional update. `write`: its token. */
  async #updateOf(id: number | string, values: JsonObject, change: ItemReplacement, write: string) {
    const { now, version, binaries, restores, before } = change;
    const options = { now, caller: this.#caller, version, write, binaries, restores, before };
    return replacement(await agree(this.#resource), id, values, options);
  }

  /** Removes the item, in one transaction with the recorded answer. */
  async remove(
    id: number | string,
    { version, before: known, answers = [] }: Removal = {},
  ): Promise<RemovalResult> {
    const resource = this.#resource;
    const kept = resource.history ? (await lastVersions(resource, [id], this.#caller)).get(id) : undefined;
    if (resource.history && !kept) return MISSING;
    if (kept && version !== undefined && version !== kept.version) return STALE;
    const isConstrained = constrainsRemoval(resource);
    const before = isConstrained ? (known ?? (await this.get(id))) : undefined;
    if (isConstrained && !before) return MISSING;
    if (before && version !== undefined && version !== before.version) return STALE;
    if (before && kept && before.version !== kept.version) return STALE;
    const { parts, refusals } = await checkConstraints(resource, before ? [{ before }] : []);
    const problem = refusals.get(0);
    if (problem) return { kind: 'refused', problem };
    const part = removal(resource, id, this.#caller, kept?.version ?? before?.version ?? version);
    const others = [...parts, ...answers.map((Put) => ({ Put })), ...(kept ? [kept.part] : [])];
    if (others.length > 0) {
      const failed = await transact([{ Delete: part }, ...others]);
      if (!failed) return { kind: 'removed' };
      const isMissing = !visibleFailure(failed.failure, this.#owner).Item;
      return failed.index === 0 && isMissing ? MISSING : STALE;
    }
    try {
      await retryingConflicts(() => dynamoDb().send(new DeleteItemCommand(part)));
      return { kind: 'removed' };
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      if (visibleFailure(failure, this.#owner).Item) return STALE;
      // An earlier attempt may have removed the item. In both cases it is gone, as the client wants.
      return wasRetried(error) ? { kind: 'removed' } : MISSING;
    }
  }
}

/** Returns the items of a resource that a caller may see and change. `SERVICE` names the work of the service itself. */
export const itemsOf = (resource: Resource, caller: Caller): Items => new Items(resource, caller);

/**
 * Returns the result of a replacement that changes nothing. If there is an answer to record, the item must still have
 * the version that was read. @throws Unavailable if DynamoDB does not respond
 */
async function confirmUnchanged(
  resource: Resource,
  item: Item,
  answers: readonly Put[] = [],
): Promise<WriteResult> {
  const parts = [{ ConditionCheck: sameVersion(resource, item) }, ...answers.map((one) => ({ Put: one }))];
  const failed = answers.length > 0 && (await transact(parts));
  return failed ? STALE : { kind: 'written', item };
}
