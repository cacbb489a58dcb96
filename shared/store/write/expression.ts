import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Attributes } from '../form/attribute-value.ts';

/** A value in an expression: a number, a text, or an attribute as DynamoDB takes it. */
type Value = AttributeValue | number | string;

/** The placeholders of one request. DynamoDB reserves many words, so every name and every value has a placeholder. */
class Placeholders {
  readonly #known = new Map<AttributeValue | string, string>();
  readonly #names: Record<string, string> = {};
  readonly #values: Attributes = {};
  #hasValues = false;

  name(attribute: string): string {
    return this.#known.get(attribute) ?? this.#add('#', attribute, this.#names);
  }

  value(given: Value): string {
    this.#hasValues = true;
    const value: AttributeValue =
      typeof given === 'number' ? { N: String(given) } : typeof given === 'string' ? { S: given } : given;
    return this.#known.get(value) ?? this.#add(':', value, this.#values);
  }

  #add<One extends AttributeValue | string>(sign: string, one: One, to: Record<string, One>): string {
    const placeholder = sign + this.#known.size;
    this.#known.set(one, placeholder);
    to[placeholder] = one;
    return placeholder;
  }

  /** The fields of the request that explain the placeholders. DynamoDB refuses an empty map. */
  fields(): { ExpressionAttributeNames: Record<string, string>; ExpressionAttributeValues?: Attributes } {
    return {
      ExpressionAttributeNames: this.#names,
      ...(this.#hasValues ? { ExpressionAttributeValues: this.#values } : {}),
    };
  }
}

/** A condition on the attributes of one item. The functions below make conditions. */
export type Condition = (use: Placeholders) => string;

/** The item has the attribute. For an attribute of the key: the item exists. */
export const attributeExists =
  (attribute: string): Condition =>
  (use) =>
    `attribute_exists(${use.name(attribute)})`;

/** The item does not have the attribute. For an attribute of the key: the item does not exist. */
export const attributeNotExists =
  (attribute: string): Condition =>
  (use) =>
    `attribute_not_exists(${use.name(attribute)})`;

/** The attribute exists, and its value compares like this. */
export const compare =
  (attribute: string, operator: '=' | '<>' | '<' | '<=' | '>' | '>=', value: Value): Condition =>
  (use) =>
    `${use.name(attribute)} ${operator} ${use.value(value)}`;

/** The set in the attribute has at most this many members. */
export const hasAtMost =
  (attribute: string, count: number): Condition =>
  (use) =>
    `size(${use.name(attribute)}) <= ${use.value(count)}`;

/** The attribute is at least `low` and at most `high`, as far as they are given. One of them is. */
export const within = (attribute: string, low?: AttributeValue, high?: AttributeValue): Condition => {
  if (!low || !high) return compare(attribute, low ? '>=' : '<=', (low ?? high) as AttributeValue);
  return (use) => `${use.name(attribute)} BETWEEN ${use.value(low)} AND ${use.value(high)}`;
};

/** The text in the attribute begins with this. */
export const beginsWith =
  (attribute: string, prefix: AttributeValue): Condition =>
  (use) =>
    `begins_with(${use.name(attribute)}, ${use.value(prefix)})`;

/** The text in the attribute contains this. */
export const contains =
  (attribute: string, part: AttributeValue): Condition =>
  (use) =>
    `contains(${use.name(attribute)}, ${use.value(part)})`;

/** All conditions hold. */
export const and =
  (...conditions: readonly Condition[]): Condition =>
  (use) =>
    conditions.map((one) => one(use)).join(' AND ');

/** At least one condition holds. */
export const or =
  (...conditions: readonly Condition[]): Condition =>
  (use) =>
    `(${conditions.map((one) => one(use)).join(' OR ')})`;

/** Returns the condition of a write, as fields of a DynamoDB request. */
export function conditionExpression(condition: Condition) {
  const use = new Placeholders();
  return { ConditionExpression: condition(use), ...use.fields() };
}

/** The changes of one update. At least one of them is not empty. */
interface Changes {
  readonly set?: Readonly<Record<string, Value>>;
  /** Names in `set` whose stored value stays, if the item has one. */
  readonly initial?: readonly string[];
  readonly remove?: readonly string[];
  /** Numbers to add, or members of sets. DynamoDB adds to zero, or to no members, if the item has no such attribute. */
  readonly add?: Readonly<Record<string, Value>>;
  /** Members to remove from sets. DynamoDB removes the attribute with its last member. */
  readonly without?: Readonly<Record<string, Value>>;
}

/**
 * Returns the changes and the condition of an update, as fields of a DynamoDB request.
 *
 * Source: Amazon DynamoDB Developer Guide, "Update expressions".
 */
export function updateExpression(
  { set = {}, initial = [], remove = [], add = {}, without = {} }: Changes,
  condition?: Condition,
) {
  const use = new Placeholders();
  const sets = Object.entries(set).map(([name, value]) => {
    const [attribute, sent] = [use.name(name), use.value(value)];
    return `${attribute} = ${initial.includes(name) ? `if_not_exists(${attribute}, ${sent})` : sent}`;
  });
  const clauses = [
    ['SET', sets],
    ['REMOVE', remove.map((name) => use.name(name))],
    ...(
      [
        ['ADD', add],
        ['DELETE', without],
      ] as const
    ).map(
      ([clause, all]) =>
        [
          clause,
          Object.entries(all).map(([name, value]) => `${use.name(name)} ${use.value(value)}`),
        ] as const,
    ),
  ] as const;
  return {
    UpdateExpression: clauses
      .filter(([, actions]) => actions.length > 0)
      .map(([clause, actions]) => `${clause} ${actions.join(', ')}`)
      .join(' '),
    ...(condition ? { ConditionExpression: condition(use) } : {}),
    ...use.fields(),
  };
}

/**
 * Returns the conditions and the projection of a read, as fields of a DynamoDB request. `key`: the rows that it reads.
 * `filter`: the rows among them that it returns. `only`: the attributes that it returns, each name once.
 *
 * Source: Amazon DynamoDB API Reference, Query and GetItem.
 */
export function readExpression({
  key,
  filter,
  only,
}: {
  readonly key?: Condition;
  readonly filter?: Condition;
  readonly only?: readonly string[];
}) {
  const use = new Placeholders();
  return {
    ...(key ? { KeyConditionExpression: key(use) } : {}),
    ...(filter ? { FilterExpression: filter(use) } : {}),
    // DynamoDB refuses a projection that names an attribute twice.
    ...(only ? { ProjectionExpression: [...new Set(only)].map((name) => use.name(name)).join(', ') } : {}),
    ...use.fields(),
  };
}

/** An update as `updateExpression` makes it. */
export interface Update {
  readonly UpdateExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Attributes | undefined;
}

/**
 * Returns the attributes of an item after an update, which `updateExpression` has made. It leaves sets as they are, because
 * no attribute of an item is a set.
 */
export function updatedAttributes(before: Attributes, update: Update): Attributes {
  const { UpdateExpression = '', ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = update;
  const after = { ...before };
  for (const [, clause, actions = ''] of UpdateExpression.matchAll(/(SET|REMOVE|ADD) ([^A-Z]+)/g))
    for (const action of actions.trim().split(/, (?=#)/)) {
      const [, placeholder = '', isInitial, sent = ''] =
        /^(#\d+)(?: = (if_not_exists)?.*?)? ?(:\d+)?\)?$/.exec(action) ?? [];
      const name = ExpressionAttributeNames[placeholder] ?? '';
      const value = ExpressionAttributeValues[sent];
      if (clause === 'REMOVE') delete after[name];
      else if (value === undefined || (isInitial && after[name])) continue;
      else if (clause === 'SET') after[name] = value;
      else if (value.N !== undefined)
        after[name] = { N: String(Number(after[name]?.N ?? 0) + Number(value.N)) };
    }
  return after;
}
