import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Problem, problem } from '../../http/problem.ts';
import { type JsonObject, sameMember } from '../../json/value.ts';
import type { Call } from '../../resource/actions/action.ts';
import type { ItemsInUnit } from '../../resource/actions/capabilities.ts';
import type { Item } from '../../resource/item.ts';
import { descriptionOf, type Resource } from '../../resource/resource.ts';
import { lastVersions } from '../history/removed-version.ts';
import { itemsOf } from '../items/items.ts';
import type { ItemChange } from '../write/item-change.ts';
import { newItem } from '../write/new-item.ts';
import { afterReplacement, isUnchanged, wholeValues } from '../write/replacement.ts';
import { agree } from '../write/stored-inventory.ts';
import { insertion, removal, replacement, sameVersion } from '../write/write-requests.ts';
import { changedBy, validateChanges } from './validate-changes.ts';

/** Ends a custom action whose values the rules of a resource forbid. */
export class Forbidden extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

/** Returns the refusal of values that the client of an action has not sent. */
const ofAction = ({ detail, errors }: Problem): Problem<'conflict'> =>
  problem('conflict', detail, errors ? { errors } : {});

/** An item that the action has read or made: as it is stored, and as the action leaves it. */
interface HeldItem {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

const isWritten = ({ before, after }: HeldItem): boolean =>
  before && after ? !isUnchanged(before, after) : before !== after;

/** The items of one resource in a unit of work. It collects changes, and writes nothing. */
export class UnitItems implements ItemsInUnit {
  readonly resource: Resource;
  readonly #call: Pick<Call, 'caller' | 'now'>;
  readonly #held = new Map<Item['id'], HeldItem>();
  readonly #onChange: () => void;

  constructor(resource: Resource, call: Pick<Call, 'caller' | 'now'>, onChange: () => void) {
    this.resource = resource;
    this.#call = call;
    this.#onChange = onChange;
  }

  async get(id: number): Promise<Item | undefined> {
    const known = this.#held.get(id);
    if (known) return known.after;
    const item = await itemsOf(this.resource, this.#call.caller).get(id);
    return item && this.take(item);
  }

  /** Takes over an item that was read before. Returns it with the changes of the action. */
  take(item: Item): Item | undefined {
    // Code that changed these values in place would see what no transaction writes.
    Object.freeze(item.values);
    const held = this.#held.get(item.id) ?? { before: item, after: item };
    this.#held.set(item.id, held);
    return held.after;
  }

  create(values: JsonObject): Item {
    const { caller, now } = this.#call;
    const valid = this.#valid(changedBy(this.resource, undefined, values));
    let item = newItem(this.resource, caller, now, valid);
    while (this.#held.has(item.id)) item = newItem(this.resource, caller, now, valid);
    return this.#hold({ before: undefined, after: item }, item);
  }

  update(item: Item, changes: JsonObject): Item {
    const { before, after: present } = this.#present(item, 'update');
    const { caller, now } = this.#call;
    const valid = this.#valid(changedBy(this.resource, present.values, changes), present.values);
    const description = descriptionOf(this.resource);
    const after = before
      ? afterReplacement(description.plan, before, wholeValues(description.plan, valid), {
          now,
          caller,
        })
      : newItem(this.resource, caller, now, valid, Number(item.id));
    return this.#hold({ before, after }, after);
  }

  remove(item: Item): void {
    const { before } = this.#present(item, 'remove');
    this.#held.set(item.id, { before, after: undefined });
    this.#onChange();
  }

  /** The item as the action leaves it, and as it was. @throws Error if the action has not got it from these items */
  heldOf(item: Item): HeldItem {
    const held = this.#held.get(item.id);
    if (!held)
      throw new Error(
        `${this.resource.name}: the action has not read the item ${item.id}. Read it by get first`,
      );
    return held;
  }

  /** The number of items that the action changes. */
  get count(): number {
    return [...this.#held.values()].filter(isWritten).length;
  }

  changes(): ItemChange[] {
    return [...this.#held.values()].filter(isWritten).map(({ before, after }) => ({
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    }));
  }

  /** Applies the rule of the resource to each item that the action writes. @throws Forbidden */
  async complete(): Promise<void> {
    const { complete } = this.resource;
    if (!complete) return;
    for (const [id, held] of this.#held) {
      const { before, after } = held;
      if (!after || !isWritten(held)) continue;
      const names = Object.keys({ ...before?.values, ...after.values });
      const sent = names.filter((name) => !sameMember(before?.values[name], after.values[name]));
      const completion = await complete(after.values, { sent, before: before?.values });
      if (completion.kind === 'refused') throw new Forbidden(ofAction(completion.problem));
      this.#held.set(id, { before, after: { ...after, values: completion.values } });
    }
  }

  /** The items that the action has read or made. */
  ids(): readonly Item['id'][] {
    return [...this.#held.keys()];
  }

  /** The writes, and a check for each item that the action has only read. Each requires the version that it saw. */
  async parts(): Promise<TransactWriteItem[]> {
    const agreed = await agree(this.resource);
    const kept = await this.#lastVersions();
    return [...this.#held.values()].flatMap(({ before, after }): TransactWriteItem[] => {
      const { resource } = this;
      const { caller, now } = this.#call;
      if (!before) return after ? [{ Put: insertion(agreed, after) }] : [];
      if (!after)
        return [
          { Delete: removal(resource, before.id, caller, before.version) },
          ...(kept?.get(before.id) ?? []),
        ];
      if (isUnchanged(before, after)) return [{ ConditionCheck: sameVersion(resource, before) }];
      const values = wholeValues(descriptionOf(resource).plan, after.values);
      const facts = { now, caller, version: before.version, before };
      return [{ Update: replacement(agreed, before.id, values, facts) }];
    });
  }

  /** The parts that keep the last versions of removed items, if the resource keeps versions. */
  async #lastVersions(): Promise<ReadonlyMap<Item['id'], readonly TransactWriteItem[]> | undefined> {
    const removed = [...this.#held.values()].flatMap(({ before, after }) =>
      before && !after ? [before] : [],
    );
    if (!this.resource.history || removed.length === 0) return undefined;
    const last = await lastVersions(
      this.resource,
      removed.map(({ id }) => id),
      this.#call.caller,
    );
    return new Map([...last].map(([id, { part }]) => [id, [part]]));
  }

  #hold(held: HeldItem, item: Item): Item {
    Object.freeze(item.values);
    this.#held.set(item.id, held);
    this.#onChange();
    return item;
  }

  #present(item: Item, verb: string): HeldItem & { readonly after: Item } {
    const { before, after } = this.heldOf(item);
    if (!after)
      throw new Error(
        `${this.resource.name}: the action cannot ${verb} the item ${item.id}, which it has removed`,
      );
    return { before, after };
  }

  #valid(values: JsonObject, present?: JsonObject): JsonObject {
    const wrong = validateChanges(this.resource, values, present);
    if (wrong) throw new Forbidden(wrong);
    return values;
  }
}
