import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients/dynamodb.ts';
import { config } from '../../aws/config.ts';
import { orUnavailable } from '../../aws/faults.ts';
import { judging } from '../../aws/meter.ts';
import type { DryRun, PlannedChange } from '../../resource/actions/capabilities.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { fromAttributes, identifierOf } from '../form/attributes.ts';
import { RESTORED } from '../form/table.ts';
import { reasonsOf } from './conflict.ts';
import { type Update, updatedAttributes } from './expression.ts';

/** The most changes whose items a plan shows. Source: Specification 7.18. */
export const MAXIMUM_SHOWN = 100;

type Planned = Pick<Resource, 'name' | 'description' | 'table' | 'owner'>;

/** One write of a command: the fields of a Put, an Update, a Delete or a ConditionCheck. */
interface Write extends Update {
  readonly kind: string;
  readonly TableName?: string;
  readonly Key?: Attributes;
  readonly Item?: Attributes;
  readonly ConditionExpression?: string;
  readonly ReturnValues?: string;
}

/**
 * Runs work whose writes reach no engine, and returns what they would change in the items of these resources. DynamoDB
 * judges the conditions of each write as conditions alone. S3 and SQS get no call.
 *
 * Source: Amazon DynamoDB API Reference, TransactWriteItems: `ConditionCheck`; Specification 7.18.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export const dryRun = (resources: readonly Planned[]): DryRun => ({
  async changesBy(work) {
    const plan = new Plan(resources);
    const judge = (command: string, input: object) =>
      judging.run(undefined, () => plan.judge(command, input));
    const result = await judging.run(judge, work);
    return { result, total: plan.total, changes: plan.changes };
  },
});

/** What the writes of one request would change. */
class Plan {
  readonly #resources: ReadonlyMap<string, Planned>;
  readonly #changes = new Map<string, PlannedChange>();
  /** The rows that a write has made: a later one of the same request finds them taken. */
  readonly #made = new Set<string>();
  readonly #others = new Set<string>();

  constructor(resources: readonly Planned[]) {
    const stored = resources.filter(({ table }) => table);
    this.#resources = new Map(stored.map((one) => [config.tableName(one.name), one]));
  }

  get changes(): readonly PlannedChange[] {
    return [...this.#changes.values()];
  }

  get total(): number {
    return this.#changes.size + this.#others.size;
  }

  /** Judges a command, and notes what it would change. Returns its output. */
  async judge(command: string, input: object): Promise<object> {
    const writes = writesOf(command, input);
    await this.#check(command, writes);
    const outputs: object[] = [];
    for (const write of writes) outputs.push(await this.#note(write));
    return command === 'TransactWriteItemsCommand' ? {} : (outputs[0] ?? {});
  }

  /** @throws the error that DynamoDB would give if a condition does not hold */
  async #check(command: string, writes: readonly Write[]): Promise<void> {
    const checks = writes.flatMap((write, at) => {
      const Key = this.#keyOf(write);
      return Key && write.ConditionExpression ? [{ at, ConditionCheck: conditionOf(write, Key) }] : [];
    });
    const taken = writes.findIndex((write) => write.Item && this.#made.has(this.#rowOf(write)));
    if (taken >= 0)
      throw this.#refusal(command, writes.length, [{ at: taken, Code: 'ConditionalCheckFailed' }]);
    if (checks.length === 0) return;
    const TransactItems = checks.map(({ ConditionCheck }) => ({ ConditionCheck }));
    try {
      await dynamoDb().send(new TransactWriteItemsCommand({ TransactItems }));
    } catch (error) {
      const reasons = reasonsOf(error);
      if (reasons.length === 0) throw error;
      throw this.#refusal(
        command,
        writes.length,
        reasons.map((one, at) => ({ ...one, at: checks[at]?.at ?? 0 })),
        error,
      );
    }
  }

  #refusal(
    command: string,
    count: number,
    found: readonly {
      readonly at: number;
      readonly Code?: string | undefined;
      readonly Item?: Attributes | undefined;
    }[],
    error: unknown = undefined,
  ): unknown {
    const failed = found.find(({ Code }) => Code === 'ConditionalCheckFailed');
    if (command !== 'TransactWriteItemsCommand' && failed) {
      const message = 'The conditional request failed';
      return new ConditionalCheckFailedException({
        $metadata: {},
        message,
        ...(failed.Item && { Item: failed.Item }),
      });
    }
    const CancellationReasons = Array.from({ length: count }, (_, index) => {
      const { at: _at, ...reason } = found.find(({ at }) => at === index) ?? { at: index, Code: 'None' };
      return reason;
    });
    const cancelled =
      error instanceof Error
        ? error
        : Object.assign(new Error('Transaction cancelled'), { name: 'TransactionCanceledException' });
    return Object.assign(cancelled, { CancellationReasons });
  }

  /** Notes the change of an item. Returns the output of the write alone. */
  async #note(write: Write): Promise<object> {
    const { kind, TableName = '', Item, ReturnValues } = write;
    const resource = this.#resources.get(TableName);
    const Key = this.#keyOf(write);
    if (!resource || !Key || kind === 'ConditionCheck') return {};
    const row = this.#rowOf(write);
    if (Item) this.#made.add(row);
    else this.#made.delete(row);
    const description = descriptionOf(resource);
    const id = identifierOf(description, Key);
    // Rows of constraints have keys that no item has.
    if (typeof id === 'number' ? id <= 0 : id.startsWith('\0')) return {};
    const known = this.#changes.get(row);
    if (!known && this.#changes.size >= MAXIMUM_SHOWN && ReturnValues === undefined) {
      this.#others.add(row);
      return {};
    }
    const before = await stored(TableName, Key);
    const after = Item ?? (kind === 'Update' ? updatedAttributes({ ...Key, ...before }, write) : undefined);
    const itemOf = (of: Attributes | undefined) => of && fromAttributes(description, of);
    const change = !after
      ? 'removed'
      : after[RESTORED] && !before?.[RESTORED]
        ? 'restored'
        : before
          ? 'updated'
          : 'created';
    const first = known ? known.before : itemOf(before);
    this.#changes.set(row, {
      resource,
      description,
      id,
      change,
      before: first,
      after: itemOf(after),
    });
    return ReturnValues === 'ALL_NEW'
      ? { Attributes: after }
      : ReturnValues === 'ALL_OLD' && before
        ? { Attributes: before }
        : {};
  }

  /** Returns the key of a row of these resources; undefined for a row of another table. */
  #keyOf({ TableName = '', Key, Item }: Write): Attributes | undefined {
    const resource = this.#resources.get(TableName);
    if (!resource) return undefined;
    const { name } = descriptionOf(resource).identifier;
    const value = (Key ?? Item)?.[name];
    return value && { [name]: value };
  }

  #rowOf(write: Write): string {
    return `${write.TableName} ${JSON.stringify(this.#keyOf(write))}`;
  }
}

function writesOf(
  command: string,
  input: { readonly TransactItems?: readonly TransactWriteItem[] },
): Write[] {
  const { TransactItems, ...alone } = input;
  if (!TransactItems) return [{ kind: command.replace(/Item(?:Command)?$/, ''), ...alone }];
  return TransactItems.flatMap((part) => Object.entries(part).map(([kind, write]) => ({ kind, ...write })));
}

/** Returns a write as a condition alone, with the placeholders that the condition uses. DynamoDB refuses others. */
function conditionOf(write: Write, Key: Attributes) {
  const {
    TableName,
    ConditionExpression = '',
    ExpressionAttributeNames = {},
    ExpressionAttributeValues = {},
  } = write;
  const used = new Set(ConditionExpression.match(/[#:]\d+/g));
  const pick = <Value>(all: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(all).filter(([placeholder]) => used.has(placeholder)));
  const names = pick(ExpressionAttributeNames);
  const values: Record<string, AttributeValue> = pick(ExpressionAttributeValues);
  return {
    TableName,
    Key,
    ConditionExpression,
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

async function stored(TableName: string, Key: Attributes): Promise<Attributes | undefined> {
  const read = new GetItemCommand({ TableName, Key, ConsistentRead: true });
  return (await orUnavailable(dynamoDb().send(read))).Item;
}
