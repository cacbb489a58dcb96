import type { Ownership } from '../shared/resource/access/owner.ts';
import type { Clock } from '../shared/resource/description/field-types.ts';
import type { Effect, Lifecycle } from '../shared/resource/facts.ts';
import type { Needs, SettingsOf } from '../shared/resource/needs.ts';
import type { ChangeEvent } from '../shared/resource/resource.ts';
import type { Action, ActionItems } from './actions.ts';
import type { Below } from './below.ts';
import type { Check, CheckRemoval } from './check.ts';
import type { Definition } from './definition.ts';
import type { Declared, Fields, Values } from './fields/declared.ts';
import type { Reading } from './reading/code-reading.ts';
import type { ResumableReading } from './reading/resumable-lists.ts';

/** What a stored value gets in place of a clock. */
interface NoClockUnlessAtRead {
  readonly now?: never;
}

/** A field whose value the service computes at each write from the values that clients set, and stores. */
interface ComputedAtWrite<F, Value> {
  /** The kind of the field. */
  readonly as: Declared<Value>;
  /** Without it, the value is stored: lists sort and filter by it. It does not change with the day. */
  readonly at?: undefined;
  /** Returns the value, or undefined for none. It gets no clock: `today()` is refused. */
  readonly value: (values: Values<F>, clock: NoClockUnlessAtRead) => NoInfer<Value> | undefined;
}

/** A field whose value the service computes for each response from the stored values and the time. */
interface ComputedAtReading<F, Value> {
  /** The kind of the field. It has no index, so no list sorts or filters by it. */
  readonly as: Declared<Value>;
  /** The value follows the day. Versions, events and code of the resource do not have it. */
  readonly at: 'read';
  /** Returns the value, or undefined for none. `today`: the day of the response in UTC. `now`: its ms since the epoch. */
  readonly value: (values: Values<F>, clock: Clock) => NoInfer<Value> | undefined;
}

/** A field that the service computes. */
export type Computed<F, Value> = ComputedAtWrite<F, Value> | ComputedAtReading<F, Value>;

/** The resource above, or with the fact that each item belongs to one of its items. */
export type Under = Definition | { readonly of: Definition; readonly required?: boolean };

/** The field that `under` adds, unless the author declares it: `customerId` for `customers`. */
type FieldOf<One extends string, Given extends boolean, F> = {
  readonly [Field in `${One}Id` as Field extends keyof F ? never : Field]: Declared<number, Given>;
};
type ParentField<Parent, F> =
  Parent extends Definition<string, unknown, unknown, infer One>
    ? FieldOf<One, false, F>
    : Parent extends { readonly of: Definition<string, unknown, unknown, infer One> }
      ? FieldOf<One, Parent extends { readonly required: true } ? true : false, F>
      : unknown;

/** All values of an item: those of the fields, and the computed ones. */
export type Whole<F, C, Parent> = F &
  ParentField<Parent, F> & { readonly [Name in keyof C]: Declared<C[Name], false, true> };

/** An item as `onChange` gets it: its JSON representation with all fields, without links. Times are RFC 3339. */
type Shown<F> = Values<F> & {
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** A change of an item. `event`: what the service publishes for it, with the same `id` in every delivery. */
interface ChangeOf<F, W extends string> {
  /** The identifier of the item. */
  readonly id: number;
  /** Undefined after a creation. */
  readonly before?: Shown<F>;
  /** Undefined after a removal. */
  readonly after?: Shown<F>;
  /** The event that the service publishes for the change. */
  readonly event: ChangeEvent;
  /** One transaction commits all writes after `onChange`, once for each event. */
  readonly items: ActionItems<F, W>;
}

/** A limit for the items that agree on some fields. */
export interface AtMost<F> {
  /** The most items that agree: 1 to 100. With 1, each combination of the values of `of` is in one item. */
  readonly count: number;
  /** The fields that agree. An item without one of them does not count. */
  readonly of: readonly (keyof F & string)[];
  /** The values of the items that count. Without it, all items count. */
  readonly where?: Partial<Values<F>>;
  /** Why the service refuses one more item, for clients and people. */
  readonly says: string;
}

/** Totals that the service keeps: a row for each combination of the values of `by`. */
export interface KeptTotalOf<F> {
  /** At most three fields: choices, states, references, booleans or days. The answers can filter by them, and leave some out. */
  readonly by: readonly (keyof F & string)[];
  /** Number fields to sum. */
  readonly sum?: readonly (keyof F & string)[];
}

/** The types of the bodies of actions, by their names; undefined for an action without a body. */
export type BodiesOf<A> = {
  readonly [Name in keyof A]: unknown extends A[Name] ? undefined : Values<A[Name]>;
};

/**
 * The facts of a resource. `W`: the names of the resources in `writes`. `One`: the word for one item. `R`: the names of the
 * resources in `reads`. `Own`: its own name. `N`: the facts of `needs`.
 */
export interface ResourceFacts<
  F extends Fields,
  C,
  Parent,
  A,
  W extends string,
  One extends string = string,
  R extends string = string,
  Own extends string = string,
  N extends Needs = Needs,
  K extends Effect = Effect,
> {
  /** What the items are, in one or two sentences for people. */
  readonly about: string;
  /** The properties that clients set, by their names. */
  readonly fields: F;
  /** The heading of pages. Without it, the name of the resource. */
  readonly title?: string;
  /** The word for one item. Needed if the name is not a regular plural. */
  readonly singular?: One;
  /**
   * What names an item for people: a field, a function of its values, or several fields after the kind of the item, as in
   * `Order of Acme, 43.50 EUR, paid`. Without it, `name` or `title`.
   */
  readonly itemTitle?:
    | (keyof F & string)
    | readonly (keyof F & string)[]
    | ((values: Values<F>) => string | undefined);
  /** The name, the label and an example of the identifier. The service chooses the number. */
  readonly identifier?: { readonly name: string; readonly label: string; readonly example?: number };
  /** True: clients may add properties of their own. */
  readonly open?: boolean;
  /**
   * Items belong to an item of this resource: `/customers/{id}/invoices`, and a field `customerId`. With
   * `{ of: customers, required: true }`, each item does, and the path fills the field.
   */
  readonly under?: Parent;
  /** Values that the service computes: at each write, or with `at: 'read'` for each response. Clients cannot set them. */
  readonly computed?: { readonly [Name in keyof C]: Computed<F & ParentField<Parent, F>, C[Name]> };
  /** Actions with code of the author, by their names in paths: `remind`, `send-mail`. */
  readonly actions?: {
    readonly [Name in keyof A]: Action<
      Whole<F, C, Parent>,
      A[Name],
      W,
      Reading<Own, Whole<F, C, Parent>, R | W> & SettingsOf<N>,
      ResumableReading<Own, Whole<F, C, Parent>, R | W> & SettingsOf<N>
    >;
  };
  /** The other resources whose items `actions` and `onChange` change. */
  readonly writes?: readonly Definition<W>[];
  /** A rule of several fields. It can also set values. */
  readonly check?: Check<F & ParentField<Parent, F>, Own, R | W>;
  /**
   * What clients cannot do by methods, so that only actions do it. `create`: POST, imports and forms. `change`: PUT, PATCH,
   * POST at an item, and restorations. `remove`: DELETE. Such a request gets 405.
   */
  readonly closed?: readonly K[];
  /** A rule of removals: a refusal keeps the item, also in bulk work and from `items.remove` of an action. */
  readonly checkRemoval?: CheckRemoval<Whole<F, C, Parent>, Own, R | W>;
  /**
   * Code that reacts to a change. The service calls it from the stream of the table: at least once, in order for each
   * item, and again if it throws. Source: docs/resources.md, "React to changes".
   */
  readonly onChange?: (
    change: ChangeOf<Whole<F, C, Parent>, W> & Reading<Own, Whole<F, C, Parent>, R | W> & SettingsOf<N>,
  ) => Promise<void>;
  /**
   * The variables, secrets and permissions on AWS that `actions` and `onChange` need. Source: docs/resources.md, "What code
   * needs".
   */
  readonly needs?: N;
  /** The other resources whose items the code reads: one by one, and in lists. */
  readonly reads?: readonly Definition<R>[];
  /**
   * At most so many items agree on some fields: `{ count: 1, of: ['copyId'], where: { open: true }, says: 'The copy is lent' }`.
   * The write that would pass a limit gets 409 with `says`, also among many writers at once, and in every action.
   */
  readonly atMost?: readonly AtMost<NoInfer<Whole<F, C, Parent>>>[];
  /**
   * True: `GET /{name}/totals` counts and sums the items, also below the parent: `?by=status&sum=amount`, with the filters of
   * the list. It reads at most 10,000 items. A list of totals such as `{ by: ['status'], sum: ['amount'] }`: the service keeps
   * these for any number of items, at most a second late. They need `history`.
   */
  readonly totals?: boolean | readonly KeptTotalOf<NoInfer<Whole<F, C, Parent>>>[];
  /** Who owns an item: the caller who created it, or the caller's tenant. Others do not see it. */
  readonly owner?: Ownership;
  /** False: no PUT and DELETE of the whole collection. */
  readonly bulk?: boolean;
  /** True: POST at an item changes the properties in its body. */
  readonly change?: boolean;
  /** Paths of this resource below the items of others. */
  readonly below?: readonly Below[];
  /** The number of partitions of each list. It can only grow. */
  readonly shards?: number;
  /** A part of every entity tag. Increase it if representations change. */
  readonly revision?: number;
  /** Of the stored form, 1 at first. Increase it with a new `earlier` of a field. */
  readonly version?: number;
  /** For how many days the service keeps earlier versions of items. Without it, or with `false`, it keeps none. */
  readonly history?: { readonly days: number } | false;
  /** The announcement of a removal. */
  readonly lifecycle?: Lifecycle;
}
