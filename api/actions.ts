import { validatorOf } from '#validators';
import type { JsonObject } from '../shared/json/value.ts';
import type { Caller } from '../shared/resource/access/owner.ts';
import {
  type CustomAction,
  type CustomActionInput,
  type CustomActionRefusal,
  refuse,
} from '../shared/resource/custom-action.ts';
import { describe } from '../shared/resource/description/plan.ts';
import type { Item } from '../shared/resource/item.ts';
import type { Needs, SettingsOf } from '../shared/resource/needs.ts';
import type { Others } from './connect.ts';
import type { Definition, FieldsOf } from './definition.ts';
import type { Changes, Values } from './fields/declared.ts';
import type { DeclaredObject } from './fields/objects.ts';
import { relationsOf } from './fields/relations.ts';
import { type Reader, type Reading, readingFor } from './reading/code-reading.ts';
import type { ItemOf } from './reading/list-filters.ts';
import type { Each } from './reading/resumable-lists.ts';
import { Refusal } from './refusal.ts';
import { dayOf, withoutClock } from './today.ts';

/**
 * The items of a resource. Writes are collected: one transaction commits them after `run`, on the condition that each
 * item that `run` has read is unchanged. Otherwise the service calls `run` again.
 */
export interface Items<F> {
  /** @throws Unavailable if DynamoDB does not respond */
  get(id: number): Promise<ItemOf<F> | undefined>;
  /** Creates an item. The values may include fields with `server: true`. */
  create(values: Changes<F>): ItemOf<F>;
  /** Changes these values. null removes a value. */
  update(item: ItemOf<F>, changes: Changes<F>): ItemOf<F>;
  remove(item: ItemOf<F>): void;
}

/** The items of the resource, and of those that `writes` names. `W`: their names. */
export interface ActionItems<F, W extends string> extends Items<F> {
  /** The items of another resource. @throws Error if `writes` does not name it, which a shared action can try */
  of<D extends Definition>(other: D['name'] extends W ? D : 'Add it to writes'): Items<FieldsOf<D>>;
}

/** What the code of an action gets. `now`: ms since the epoch. */
export interface ActionInput<F, B, W extends string> {
  /** The values of the body; empty if the action states none. */
  readonly body: B;
  /** Reads and writes items. */
  readonly items: ActionItems<F, W>;
  /** The caller of the request. */
  readonly caller: Caller;
  /** The time of the request in ms since the epoch. */
  readonly now: number;
  /** The day of the request in UTC, as fields of the kind `date` have it. */
  readonly today: string;
  /** Only a long action goes through more items than a request has time for. */
  readonly each: (source: 'Add long: true to the action', code: unknown) => never;
}

/** What the code of a long action gets. `now` and `today` are those of the request in each run. */
type LongInput<F, B, W extends string> = Omit<ActionInput<F, B, W>, 'each'> & {
  readonly each: Each<ActionItems<F, W>>;
};

/** The item of this resource that the response shows, a refusal, or nothing. */
type Result = Pick<Item, 'id' | 'version'> | Refusal | undefined;

/** A refusal, or nothing: the answer of a long action is 202, before the code runs. */
// biome-ignore lint/suspicious/noConfusingVoidType: code without a return statement
type NothingBecauseTheAnswerIs202 = Refusal | undefined | void;

/** What clients see of an action. */
interface ActionFacts<B> {
  /** What a request must send. Without it, the action takes no content. */
  readonly body?: DeclaredObject<B>;
  /** The effect in a few words, such as `Send a reminder`. */
  readonly summary?: string;
  /** The effect in sentences. */
  readonly about?: string;
  /** The scope that the action needs, instead of `{resource}:write`. */
  readonly scope?: string;
}

/** True of `long`: the answer is always 202, and the code has `each` and up to 24 hours. */
interface Long {
  /**
   * True: the answer is 202 with an operation, which shows the progress, and DELETE cancels it. `run` gets `each`, which goes
   * through any number of items. It returns nothing, or a refusal.
   */
  readonly long: true;
}

/** An action that is done with its answer. */
interface Short {
  readonly long?: false;
}

/** What an action at an item states about the item. */
interface OfItem<F> {
  /** The action is at an item. */
  readonly at?: 'item';
  /**
   * Returns true, or the reason why the item does not allow the action. Then it has no link and no button, and a request
   * gets 409 with the reason. It depends on the values alone: it may not read the clock or the network.
   */
  readonly when?: (values: Values<F>) => true | string;
}

/** What an action at the collection states. */
interface OfCollection {
  /** The action is at the collection. */
  readonly at: 'collection';
}

/**
 * An action at an item: POST at `/{plural}/{id}/{name}`, a link, and a form or a button. `run` must have no other effect
 * than that of `items`, because the service can call it several times. Other effects belong into `onChange`.
 */
interface ItemAction<F, B, W extends string, Tools> extends ActionFacts<B>, OfItem<F>, Short {
  /** The code of the action. */
  readonly run: (
    input: ActionInput<F, Values<B>, W> & Tools & { readonly item: ItemOf<F> },
  ) => Result | Promise<Result>;
}

/** An action at the collection: POST at `/{plural}/{name}`, a link of the list, and a form or a button. */
interface CollectionAction<F, B, W extends string, Tools> extends ActionFacts<B>, OfCollection, Short {
  /** The code of the action. */
  readonly run: (input: ActionInput<F, Values<B>, W> & Tools) => Result | Promise<Result>;
}

/** An action at an item that takes longer than a request. */
interface LongItemAction<F, B, W extends string, Tools> extends ActionFacts<B>, OfItem<F>, Long {
  /** The code of the action. It must end within five minutes, except for what it does in `each`. */
  readonly run: (
    input: LongInput<F, Values<B>, W> & Tools & { readonly item: ItemOf<F> },
  ) => NothingBecauseTheAnswerIs202 | Promise<NothingBecauseTheAnswerIs202>;
}

/** An action at the collection that takes longer than a request. */
interface LongCollectionAction<F, B, W extends string, Tools> extends ActionFacts<B>, OfCollection, Long {
  /** The code of the action. It must end within five minutes, except for what it does in `each`. */
  readonly run: (
    input: LongInput<F, Values<B>, W> & Tools,
  ) => NothingBecauseTheAnswerIs202 | Promise<NothingBecauseTheAnswerIs202>;
}

/**
 * An action as an author declares it. `F`: the fields of the items. `B`: the fields of the body. `W`: as in `ActionItems`.
 * `Tools`: the lists that it reads, and what `needs` states. `LongTools`: those of a long one.
 */
export type Action<F, B, W extends string, Tools, LongTools> =
  | ItemAction<F, B, W, Tools>
  | CollectionAction<F, B, W, Tools>
  | LongItemAction<F, B, W, LongTools>
  | LongCollectionAction<F, B, W, LongTools>;

/** What the code of a shared action gets: its definitions state what it may use. */
type SharedTools = Reading<never, unknown, string> & SettingsOf<Needs>;

/**
 * Returns an action outside of a definition, so that several can share it. Its code knows the body and not the fields
 * of the item. In its place in `actions`, an object without this function knows both.
 */
export const action = <B = unknown>(
  facts: ItemAction<unknown, B, string, SharedTools>,
): ItemAction<unknown, B, string, SharedTools> => facts;

/** An action, whatever the types of its fields are. */
interface Stated extends ActionFacts<unknown> {
  readonly at?: 'item' | 'collection';
  readonly long?: boolean;
  readonly when?: (values: never) => true | string;
  readonly run: (input: never) => unknown;
}

/** The same action after the compiler has compared its code with the fields of the author. */
interface Compared extends Omit<Stated, 'when'>, Pick<CustomAction, 'when'> {
  readonly run: (input: object) => unknown;
}

/** Returns the actions of a resource, as the inner language has them. `others`: what follows from other resources. */
export const customActionsOf = (
  reader: Reader,
  actions: Readonly<Record<string, Stated>>,
  others: () => Others,
): CustomAction[] =>
  Object.entries(actions as Readonly<Record<string, Compared>>).map(
    ([id, { body: object, at = 'item', long = false, run, ...facts }]) => {
      const parts = object?.parts();
      const validate =
        parts && validatorOf(`${reader.name}.${id}`, describe({ singular: id, ...parts.sent }));
      const body =
        parts && validate
          ? { body: { ...parts.sent, relations: relationsOf(parts.declared), validate } }
          : {};
      const perform = async (input: CustomActionInput) => {
        const { caller, now, each = withoutEach } = input;
        const { settings, long: code } = others();
        const reading = long ? await code?.resumableReading(reader, caller) : readingFor(reader, caller);
        return resultOf(run({ ...input, each, today: dayOf(now), ...reading, ...settings }));
      };
      const { when } = facts;
      const condition = when && {
        when: (values: JsonObject) =>
          withoutClock(
            `the condition of the action '${id}' uses today(), which changes no item: compare in run, and refuse`,
            () => when(values),
          ),
      };
      return { ...facts, ...condition, ...body, ...(long ? { isLong: true } : {}), id, at, run: perform };
    },
  );

/** Code without types can call it. */
const withoutEach = () => {
  throw new Error('each belongs to a long action: add long: true to it');
};

/** Returns the result of an action in the form of the store. */
async function resultOf(result: unknown): Promise<Item | CustomActionRefusal | undefined> {
  const made = (await result) as Item | Refusal | undefined;
  if (!(made instanceof Refusal)) return made;
  const errors = Object.entries(made.errors).map(([name, detail]) => ({ pointer: `/${name}`, detail }));
  return refuse(made.detail, errors.length > 0 ? errors : undefined);
}
