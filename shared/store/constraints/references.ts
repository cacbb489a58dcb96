import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import type { Problem } from '../../http/problem.ts';
import { attributeOf } from '../../resource/description/attribute.ts';
import type { Description } from '../../resource/description/description.ts';
import { unknownItem } from '../../resource/description/references.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { number } from '../form/attributes.ts';
import { constraintRow, HOLDER, SINCE } from '../form/constraint-rows.ts';
import { OWNER } from '../form/table.ts';
import { readKeys } from '../items/read-items.ts';
import { attributeExists, conditionExpression } from '../write/expression.ts';
import {
  type ItemChange,
  isKnown,
  type KnownItem,
  type NewReference,
  newReferences,
} from '../write/item-change.ts';

/** Returns the name of the row that notes references to an item. */
export const referenceName = (description: Description, field: string, id: number): string =>
  `reference ${attributeOf(description, field)} ${id}`;

/**
 * Returns the refusals of references to items that do not exist, by the index of the change. For a change, the item of
 * another owner does not exist. `known`: items that exist. @throws Unavailable if DynamoDB does not respond
 */
export async function missingReferences(
  resource: Resource,
  changes: readonly ItemChange[],
  known: readonly KnownItem[],
): Promise<Map<number, Problem>> {
  const wanted = newReferences(resource, changes).filter((one) => !isKnown(one, known));
  const owners = new Map<string, string | null>();
  for (const name of new Set(wanted.map(({ to }) => to.resource))) {
    const of = wanted.filter(({ to }) => to.resource === name);
    const { key } = (of[0] as NewReference).to;
    const ids = [...new Set(of.map(({ id }) => id))];
    for (const row of await readKeys(
      name,
      ids.map((id) => ({ [key]: number(id) })),
    ))
      owners.set(`${name} ${row[key]?.N}`, row[OWNER]?.S ?? null);
  }
  const refusals = new Map<number, Problem>();
  for (const { at, field, to, id } of wanted) {
    const owner = owners.get(`${to.resource} ${id}`);
    const isVisible = owner === null || (owner !== undefined && owner === changes[at]?.after?.owner);
    if (!isVisible) refusals.set(at, unknownItem(field, id));
  }
  return refusals;
}

/**
 * Returns the parts for new references. They require that the referenced item exists when the transaction commits. A
 * new item needs no such part: no client can distinguish a removal before the transaction from one after it (decision
 * 54). With `clear`, the worker waits until the request has ended. For `restrict`, a row notes the reference, and a
 * removal depends on this row.
 */
export function referenceParts(resource: Resource, changes: readonly ItemChange[]): TransactWriteItem[] {
  const description = descriptionOf(resource);
  const written = new Set(changes.map(({ after }) => `${resource.name} ${after?.id}`));
  const parts = new Map<string, TransactWriteItem>();
  for (const { at, field, to, id } of newReferences(resource, changes)) {
    const { before, after } = changes[at] as ItemChange;
    const referenced = `${to.resource} ${id}`;
    // DynamoDB refuses two parts for one item. The change of the referenced item depends on its version.
    if ((before || to.onDelete === 'restrict') && !written.has(referenced)) {
      const isThere = conditionExpression(attributeExists(to.key));
      const TableName = config.tableName(to.resource);
      parts.set(referenced, { ConditionCheck: { TableName, Key: { [to.key]: number(id) }, ...isThere } });
    }
    if (to.onDelete === 'restrict' && after) {
      const name = referenceName(description, field, id);
      const latest = { [HOLDER]: number(Number(after.id)), [SINCE]: number(after.version) };
      const Item = { ...constraintRow(description, name), ...latest };
      parts.set(name, { Put: { TableName: config.tableName(resource.name), Item } });
    }
  }
  return [...parts.values()];
}
