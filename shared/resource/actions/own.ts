import { type Problem, problem } from '../../http/problem.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Caller } from '../access/owner.ts';
import type { OwnFacts } from '../facts.ts';
import type { Item } from '../item.ts';
import type { Resource } from '../resource.ts';

/**
 * The items of a resource, as an own action reads and writes them. A method throws if the action itself is wrong, for
 * example if it sets a field that does not exist.
 */
export interface OwnItems {
  /**
   * The item that the caller of the request may see, with the changes of this action; undefined: there is none.
   * @throws Unavailable if the storage does not respond; UnreadableItem if its stored form is unknown
   */
  get(id: number): Promise<Item | undefined>;
  /** Creates an item. The values may include fields that only the service sets. */
  create(values: JsonObject): Item;
  /** Changes these values of an item. null removes a value. The values may include fields that only the service sets. */
  update(item: Item, changes: JsonObject): Item;
  remove(item: Item): void;
}

/** The items of the own resource, and those of the resources in `uses`. */
export interface Door extends OwnItems {
  /** The items of another resource. @throws Error if `uses` does not name it under `writes` */
  of(other: Resource): OwnItems;
}

/** What every own action gets. `now`: ms since the epoch. */
export interface OwnInput {
  readonly body: JsonObject;
  readonly items: Door;
  readonly caller: Caller;
  readonly now: number;
}

/** The refusal of an own action. */
export interface OwnRefusal {
  readonly kind: 'refused';
  readonly problem: Problem<'conflict'>;
}

/** Refuses an action for a reason of its author: 409. `errors`: the causes, if the reason has several. */
export const refuse = (detail: string, errors?: Problem['errors']): OwnRefusal => ({
  kind: 'refused',
  problem: problem('conflict', detail, errors ? { errors } : {}),
});

/** The item to show, a refusal, or nothing. */
type Result = Item | OwnRefusal | undefined;

/**
 * An own action. `run` is a function of its input and of what it reads: the service runs it again after a conflict with
 * another writer, and once more for a check before it accepts an operation. It must have no other effect than that of
 * `items`.
 */
export type OwnAction = OwnFacts &
  (
    | {
        readonly at: 'item';
        readonly run: (input: OwnInput & { readonly item: Item }) => Promise<Result> | Result;
      }
    | { readonly at: 'collection'; readonly run: (input: OwnInput) => Promise<Result> | Result }
  );
