import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import { CONCURRENCY, mapConcurrently } from '../../concurrency/map-concurrently.ts';
import { type Problem, problem } from '../../http/problem.ts';
import { attributeOf } from '../../resource/description/attribute.ts';
import { restrictionsIn } from '../../resource/description/references.ts';
import type { Referrer, Resource } from '../../resource/resource.ts';
import type { Attributes } from '../form/attribute-value.ts';
import { keyAttribute } from '../form/attributes.ts';
import { constraintKey, HOLDER, SINCE } from '../form/constraint-rows.ts';
import { incompleteIndex } from '../form/inventory.ts';
import { CONSTRAINT } from '../form/table.ts';
import { readKeys } from '../items/read-items.ts';
import { and, attributeNotExists, compare, conditionExpression } from '../write/expression.ts';
import type { ConstraintResult, ItemChange } from '../write/item-change.ts';
import { hasIndex } from '../write/stored-inventory.ts';
import { referenceName } from './references.ts';
import { indexOf, type ReferenceField, referring } from './referring.ts';

/** Returns the fields whose references keep items of this resource from removal. */
const restrictionsOf = ({ name, referredBy }: Resource): ReferenceField[] =>
  referredBy.flatMap((referrer) =>
    restrictionsIn(referrer.description, name).map((field) => ({ referrer, field })),
  );

/**
 * Refuses the removal of an item that others refer to. A row notes the latest reference to the item. The parts depend
 * on it, so no other request refers to the item meanwhile. A removal reads the item that referred last, as last
 * written, and then the index of the references.
 *
 * @throws Unavailable if DynamoDB does not respond, or if the index of the references lacks older items
 */
export async function checkReferrers(
  resource: Resource,
  changes: readonly ItemChange[],
): Promise<ConstraintResult> {
  const removed = changes.flatMap(({ before, after }, at) =>
    before && !after ? [{ at, id: Number(before.id) }] : [],
  );
  const isRemoved = (referrer: Referrer, id: number | string) =>
    referrer.name === resource.name && removed.some((one) => one.id === id);
  const parts: TransactWriteItem[] = [];
  const refusals = new Map<number, Problem>();
  const all = removed.flatMap((one) =>
    restrictionsOf(resource).map((restriction) => ({ ...one, restriction })),
  );
  await mapConcurrently(CONCURRENCY.items, all, async ({ at, id, restriction }) => {
    const { referrer, field } = restriction;
    if (!(await hasIndex(referrer, indexOf(restriction)))) throw incompleteIndex(referrer.name);
    const Key = constraintKey(referrer.description, referenceName(referrer.description, field, id));
    const [latest] = await readKeys(referrer.name, [Key]);
    for await (const ids of referringIds(restriction, id, latest)) {
      // Items that the same transaction removes do not count.
      const others = ids.filter((one) => !isRemoved(referrer, one));
      if (await refers(restriction, others, id)) {
        refusals.set(at, inUse(resource, referrer));
        return;
      }
    }
    const { [HOLDER]: holder, [SINCE]: since } = latest ?? {};
    const isSame =
      holder && since
        ? and(compare(HOLDER, '=', holder), compare(SINCE, '=', since))
        : attributeNotExists(CONSTRAINT);
    const TableName = config.tableName(referrer.name);
    parts.push({ Delete: { TableName, Key, ...conditionExpression(isSame) } });
  });
  if (refusals.size === 0) return { parts, refusals };
  // An item that stays still refers to other items, so these must stay too.
  const rest = await checkReferrers(
    resource,
    changes.map((change, at) => (refusals.has(at) ? {} : change)),
  );
  return { parts: rest.parts, refusals: new Map([...refusals, ...rest.refusals]) };
}

/** Yields the identifiers of items that may refer to an item: the latest one, then those of the index, page by page. */
async function* referringIds(
  restriction: ReferenceField,
  id: number,
  latest: Attributes | undefined,
): AsyncGenerator<readonly (number | string)[]> {
  if (latest) yield [Number(latest[HOLDER]?.N)];
  yield* referring(restriction, id);
}

/** True if one of the items refers to the item with this identifier. An index may still list old values. */
async function refers(
  { referrer: { name, description }, field }: ReferenceField,
  candidates: readonly (number | string)[],
  id: number,
): Promise<boolean> {
  const rows = await readKeys(
    name,
    [...new Set(candidates)].map((one) => keyAttribute(description, one)),
  );
  return rows.some((row) => row[attributeOf(description, field)]?.N === String(id));
}

const inUse = ({ description }: Resource, { name }: Referrer): Problem =>
  problem(
    'conflict',
    `Some ${name} refer to this ${description?.singular}. Remove them, or let them refer to another ${description?.singular}`,
  );
