import type { Put } from '@aws-sdk/client-dynamodb';
import { DeleteItemCommand, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { JsonObject } from '../../json/value.ts';
import type { SentBinary } from '../../resource/actions/sent.ts';
import { hasComputed, withComputed } from '../../resource/description/computed.ts';
import { descriptionOf } from '../../resource/description/described.ts';
import { withRemovals } from '../../resource/description/values.ts';
import type { Item } from '../../resource/item.ts';
import type { Resource } from '../../resource/resource.ts';
import { type BinaryChanges, bindBinaries } from '../binaries/bind.ts';
import { hasConstraints, held } from '../constraints/held.ts';
import { confirmed } from '../write/confirmation.ts';
import { conflictReason, failureOf, ownRetry, wasRetried } from '../write/conflict.ts';
import { insert } from '../write/insert.ts';
import { type Companion, insertion, newWriteToken, removal, replacement } from '../write/parts.ts';
import { afterReplacement, isUnchanged, leftFields } from '../write/replacement.ts';
import {
  type InsertionResult,
  MISSING,
  type RemovalResult,
  STALE,
  type WriteResult,
} from '../write/results.ts';
import { retryingConflicts, transact } from '../write/transaction.ts';
import { fromAttributes, keyAttribute } from './attributes.ts';
import { isVisible, visibleFailure } from './owner.ts';
import { readable } from './readable.ts';
import type { Attributes } from './stored-value.ts';

/**
 * The conditions and effects of a replacement. `now`: ms since the epoch. `by`: the caller; undefined: unknown.
 * `whose`: the owner that the item must have, if the items have owners.
 * `version`: the version that the item must have. `same`: fields whose stored value must equal the new one.
 */
export interface Replacement {
  readonly now: number;
  readonly by?: string | undefined;
  readonly whose?: string | undefined;
  readonly version?: number;
  /** The item as the action read it. A transaction replaces exactly this version. */
  readonly before?: Item;
  readonly same?: readonly string[];
  readonly companions?: readonly Companion[];
  readonly answersOf?: AnswersOf;
  /** The binary properties to change. */
  readonly binaries?: readonly SentBinary[] | undefined;
  /** Identifies the write across several attempts. After one attempt succeeded, the others have no effect. */
  readonly write?: string;
}

/** The conditions of a removal. `answers`: the writes that record the answer. Others: as in a replacement. */
interface Removal {
  readonly whose?: string | undefined;
  readonly version?: number;
  readonly before?: Item | undefined;
  readonly answers?: readonly Put[];
}

/** Makes the writes that record the answer, given the item after the write. */
type AnswersOf = (after: Item) => Promise<readonly Put[]>;

/**
 * The items of one resource. Every write is conditional: one call of DynamoDB, or a transaction with further parts.
 * All methods @throws Unavailable if DynamoDB does not respond.
 *
 * Source: Amazon DynamoDB API Reference, GetItem, PutItem, UpdateItem, DeleteItem, TransactWriteItems.
 */
export class Items {
  readonly #resource: Resource;
  readonly #description: NonNullable<Resource['description']>;

  constructor(resource: Resource) {
    this.#resource = resource;
    this.#description = descriptionOf(resource);
  }

  /**
   * The item as last written, or undefined. `whose`: the owner that it must have, if the items have owners.
   * @throws UnreadableItem if its stored form is unknown
   */
  async get(id: number | string, whose?: string): Promise<Item | undefined> {
    const { Item: attributes } = await orUnavailable(
      dynamoDb().send(
        new GetItemCommand({
          TableName: config.tableName(this.#resource.name),
          Key: keyAttribute(this.#description, id),
          ConsistentRead: true,
        }),
      ),
    );
    if (!attributes || !isVisible(this.#resource, attributes, whose)) return undefined;
    return readable(this.#resource.name, fromAttributes(this.#description, attributes));
  }

  /**
   * Stores a new item, in one transaction with the recorded answer.
   * `taken`: the identifier exists. `repeated`: another request recorded an answer under the same idempotency key.
   */
  insert(
    item: Item,
    { binaries: sent, answersOf }: Pick<Replacement, 'answersOf' | 'binaries'> = {},
  ): Promise<InsertionResult> {
    return bindBinaries(this.#resource, item.id, { sent, now: item.createdAt }, ({ set: binaries }) =>
      this.#insert(Object.keys(binaries).length > 0 ? { ...item, binaries } : item, answersOf),
    );
  }

  async #insert(sent: Item, answersOf: AnswersOf | undefined): Promise<InsertionResult> {
    const item = { ...sent, values: withComputed(this.#description, sent.values) };
    const write = newWriteToken();
    const { parts, refusals } = await held(this.#resource, [{ after: item }]);
    const problem = refusals.get(0);
    if (problem) return { kind: 'refused', problem };
    const put = insertion(this.#resource, item, write);
    const answers = (await answersOf?.(item)) ?? [];
    const kind = await insert(put, write, [...parts, ...answers.map((Put) => ({ Put }))]);
    return kind === 'written' ? { kind, item } : { kind };
  }

  /**
   * Replaces the values of an existing item. The identifier, the creation time and the values of `leftFields` stay. The
   * version increases. The write is one UpdateItem, or a transaction if there are companions, constraints or an answer
   * to record.
   */
  replace(
    id: number | string,
    values: JsonObject,
    { binaries: sent, ...write }: Replacement,
  ): Promise<WriteResult> {
    return bindBinaries(this.#resource, id, { sent, now: write.now }, (binaries) =>
      this.#replace(id, values, { ...write, binaries }),
    );
  }

  async #replace(
    id: number | string,
    values: JsonObject,
    {
      now,
      by,
      whose,
      version,
      before: known,
      same = [],
      companions = [],
      answersOf,
      write = newWriteToken(),
      binaries,
    }: Omit<Replacement, 'binaries'> & { readonly binaries: BinaryChanges },
  ): Promise<WriteResult> {
    const alone = async (expected: number | undefined, set: JsonObject): Promise<WriteResult> => {
      const update = { now, by, whose, version: expected, same, write, binaries };
      const result = await this.#update(replacement(this.#resource, id, set, update), write);
      return result.kind === 'failed'
        ? conflictReason(visibleFailure(this.#resource, result.failure, whose), expected)
        : result;
    };
    if (known && (version === undefined || version === known.version)) {
      const after = afterReplacement(this.#description, known, values, { now, by }, binaries);
      if (isUnchanged(known, after)) return confirmed(this.#resource, known, await answersOf?.(known));
    }
    const isAlone = companions.length === 0 && !answersOf;
    // A computed value can depend on a value that the write leaves.
    const isWhole = !hasComputed(this.#description) || leftFields(this.#description, values).length === 0;
    if (isAlone && isWhole && !hasConstraints(this.#resource)) return alone(version, values);
    const before = known ?? (await this.get(id, whose));
    if (!before) return MISSING;
    if (version !== undefined && version !== before.version) return STALE;
    const after = afterReplacement(this.#description, before, values, { now, by }, binaries);
    const { parts, refusals } = await held(this.#resource, [{ before, after }]);
    const problem = refusals.get(0);
    if (problem) return { kind: 'refused', problem };
    const stored = withRemovals(this.#description, after.values);
    if (isAlone && parts.length === 0) return alone(before.version, stored);
    const update = { now, by, whose, version: before.version, same, write, binaries };
    const failed = await transact([
      ...companions,
      { Update: replacement(this.#resource, id, stored, update) },
      ...parts,
      ...((await answersOf?.(after)) ?? []).map((Put) => ({ Put })),
    ]);
    if (!failed) return { kind: 'written', item: after };
    // A companion decides only if the item is as it was read: another request may have changed both.
    const { index, failure } = failed.all.find((one) => one.index >= companions.length) ?? failed;
    if (index < companions.length) return { kind: 'companion-failed', index };
    // Another request recorded an answer under the same idempotency key, or changed what a constraint depends on.
    if (index > companions.length) return STALE;
    return conflictReason(visibleFailure(this.#resource, failure, whose), before.version);
  }

  /** Removes the item, in one transaction with the recorded answer. */
  async remove(
    id: number | string,
    { version, before: known, whose, answers = [] }: Removal = {},
  ): Promise<RemovalResult> {
    const isConstrained = hasConstraints(this.#resource);
    const before = isConstrained ? (known ?? (await this.get(id, whose))) : undefined;
    if (isConstrained && !before) return MISSING;
    if (before && version !== undefined && version !== before.version) return STALE;
    const { parts, refusals } = await held(this.#resource, before ? [{ before }] : []);
    const problem = refusals.get(0);
    if (problem) return { kind: 'refused', problem };
    const part = removal(this.#resource, id, { version: before?.version ?? version, whose });
    const others = [...parts, ...answers.map((Put) => ({ Put }))];
    if (others.length > 0) {
      const failed = await transact([{ Delete: part }, ...others]);
      if (!failed) return { kind: 'removed' };
      const isMissing = !visibleFailure(this.#resource, failed.failure, whose).Item;
      return failed.index === 0 && isMissing ? MISSING : STALE;
    }
    try {
      await retryingConflicts(() => dynamoDb().send(new DeleteItemCommand(part)));
      return { kind: 'removed' };
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      if (visibleFailure(this.#resource, failure, whose).Item) return STALE;
      // An earlier attempt may have removed the item. In both cases it is gone, as the client wants.
      return wasRetried(error) ? { kind: 'removed' } : MISSING;
    }
  }

  /** Runs one conditional UpdateItem. Returns the item after the update, or the failed condition. */
  async #update(
    update: ReturnType<typeof replacement>,
    write: string,
  ): Promise<
    | { readonly kind: 'written'; readonly item: Item }
    | { readonly kind: 'failed'; readonly failure: NonNullable<ReturnType<typeof failureOf>> }
  > {
    try {
      const { Attributes: after } = await retryingConflicts(() =>
        dynamoDb().send(new UpdateItemCommand({ ...update, ReturnValues: 'ALL_NEW' })),
      );
      return { kind: 'written', item: fromAttributes(this.#description, after as Attributes) };
    } catch (error) {
      const failure = failureOf(error);
      if (!failure) throw error;
      const own = ownRetry(failure, write);
      return own
        ? { kind: 'written', item: fromAttributes(this.#description, own) }
        : { kind: 'failed', failure };
    }
  }
}
