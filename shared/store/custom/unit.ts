import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { config } from '../../aws/config.ts';
import type { Problem } from '../../http/problem.ts';
import type { Call } from '../../resource/actions/action.ts';
import type { ActionItems, ItemsInUnit } from '../../resource/actions/capabilities.ts';
import { unknownItem } from '../../resource/description/references.ts';
import type { Resource } from '../../resource/resource.ts';
import { checkConstraints } from '../constraints/check-constraints.ts';
import { bytesOfChange } from '../write/fitting.ts';
import { type ItemChange, newReferences } from '../write/item-change.ts';
import { MAXIMUM_PARTS, MAXIMUM_TRANSACTION } from '../write/limits.ts';
import { Forbidden, UnitItems } from './unit-items.ts';
import { tooManyParts } from './validate-changes.ts';

/** What a unit of work writes; no parts if it changes nothing. Or why the constraints forbid it. */
type Planned =
  | { readonly kind: 'planned'; readonly parts: readonly TransactWriteItem[] }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * A unit of work: the reads and the changes of a custom action, in one or several resources. One transaction then commits
 * all changes or none. It requires that each item still has the version that the action saw.
 */
export class Unit {
  readonly own: UnitItems;
  readonly #all = new Map<string, UnitItems>();
  readonly #call: Pick<Call, 'caller' | 'now'>;
  readonly #uses: Resource['uses'];

  /** `uses`: the resources that its code may change in addition; without it, those of `resource`. */
  constructor(resource: Resource, call: Pick<Call, 'caller' | 'now'>, uses = resource.uses) {
    this.#call = call;
    this.#uses = uses;
    this.own = this.#itemsOf(resource);
  }

  /** The items for the action. */
  items(): ActionItems<Resource> {
    const { own } = this;
    return {
      get: (id) => own.get(id),
      create: (values) => own.create(values),
      update: (item, changes) => own.update(item, changes),
      remove: (item) => own.remove(item),
      of: (other) => this.#of(other),
    };
  }

  /**
   * The parts of the transaction, with those that the constraints of each resource add.
   * @throws Unavailable if DynamoDB does not respond
   */
  async plan(): Promise<Planned> {
    for (const items of this.#all.values()) await items.complete();
    const all = [...this.#all.values()].map((items) => ({ items, changes: items.changes() }));
    if (all.every(({ changes }) => changes.length === 0)) return { kind: 'planned', parts: [] };
    const bytes = all.flatMap(({ items, changes }) =>
      changes.map((one) => bytesOfChange(items.resource, one)),
    );
    if (bytes.reduce((sum, one) => sum + one, 0) > MAXIMUM_TRANSACTION)
      return { kind: 'refused', problem: tooManyParts() };
    const made = all.flatMap(({ items, changes }) => namesOf(items, changes, (one) => !one.before));
    const lost = all.flatMap(({ items, changes }) => namesOf(items, changes, (one) => !one.after));
    const parts = (await Promise.all(all.map(({ items }) => items.parts()))).flat();
    const places = new Set(all.flatMap(({ items }) => items.ids().map((id) => placeOf(items.resource, id))));
    for (const { items, changes } of all) {
      const { resource } = items;
      const dangling = newReferences(resource, changes).find(({ to, id }) =>
        lost.some((one) => one.resource === to.resource && one.id === id),
      );
      if (dangling) return { kind: 'refused', problem: unknownItem(dangling.field, dangling.id) };
      const { parts: added, refusals } = await checkConstraints(resource, changes, made);
      const [problem] = refusals.values();
      if (problem) return { kind: 'refused', problem };
      parts.push(...added.filter((part) => isFirst(part, places)));
    }
    return { kind: 'planned', parts };
  }

  #of(other: Resource): ItemsInUnit {
    const { resource } = this.own;
    const isAllowed =
      other.name === resource.name ||
      this.#uses.some((use) => 'writes' in use && use.writes.name === other.name);
    if (!isAllowed)
      throw new Error(
        `The code of ${resource.name} cannot use the items of ${other.name}: state writes: [${other.name}] in ${resource.name}`,
      );
    return this.#itemsOf(other);
  }

  #itemsOf(resource: Resource): UnitItems {
    const known = this.#all.get(resource.name);
    if (known) return known;
    const made = new UnitItems(resource, this.#call, () => this.#refuseTooMany());
    this.#all.set(resource.name, made);
    return made;
  }

  #refuseTooMany(): void {
    const count = [...this.#all.values()].reduce((sum, items) => sum + items.count, 0);
    if (count > MAXIMUM_PARTS) throw new Forbidden(tooManyParts());
  }
}

/** Returns the names of the changed items that have this property. */
const namesOf = (
  { resource }: UnitItems,
  changes: readonly ItemChange[],
  has: (change: ItemChange) => boolean,
) =>
  changes
    .filter(has)
    .map(({ before, after }) => ({ resource: resource.name, id: Number((after ?? before)?.id) }));

/** Returns the table and the identifier of an item. */
const placeOf = ({ name }: Pick<Resource, 'name'>, id: number | string): string =>
  `${config.tableName(name)} ${id}`;

/**
 * True if a part is the first one for its item. DynamoDB refuses two parts for one item. A change of an item, or a check
 * of its version, is also a check of its existence.
 */
function isFirst({ ConditionCheck: check }: TransactWriteItem, places: Set<string>): boolean {
  if (!check) return true;
  const [id] = Object.values(check.Key ?? {});
  const place = `${check.TableName} ${id?.N}`;
  if (places.has(place)) return false;
  places.add(place);
  return true;
}
