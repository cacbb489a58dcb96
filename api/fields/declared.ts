import type { Decimal } from '../../shared/json/decimal.ts';
import type { Field } from '../../shared/resource/description/description.ts';
import type { StoredField } from '../../shared/resource/description/field-types.ts';
import { capitalize } from '../../shared/resource/description/fields.ts';
import type { Suffix } from '../../shared/resource/kinds/operators.ts';
import type { Process } from '../../shared/resource/process.ts';
import type { Relation } from '../../shared/resource/relation.ts';

/** Carries the type of the values of a field, whether every item has one, and whether the service alone sets it. */
declare const TYPE: unique symbol;

/** The facts that fields of every kind can have. */
export interface FieldFacts<Given extends boolean, Server extends boolean = boolean> {
  /** The label for people. Without it, the name of the field: `dueDate` has the label `Due date`. */
  readonly label?: string;
  /** A sentence for people who fill in the field. */
  readonly help?: string;
  /** True: a POST and a PUT must have the field. */
  readonly required?: Given;
  /** True: an index orders lists of any length by the field. Each such field costs one index. */
  readonly sortable?: boolean;
  /** More names of filters: `{ minCost: 'gte' }` is another name of `orderValue.gte`. */
  readonly filters?: Readonly<Record<string, Suffix>>;
  /** True: the service alone sets the field, by an action or `onChange`. */
  readonly server?: Server;
  /** True: the value does not change after the creation of the item. A request that changes it gets 409. */
  readonly immutable?: boolean;
  /**
   * The states of `process` in which the value does not change: a request that changes it gets 409, also of an action. The
   * same value does not count as a change.
   */
  readonly lockedIn?: readonly string[];
  /** True: a PUT without the field keeps its value, and null removes it. */
  readonly keptByPut?: boolean;
  /** The scope that a caller needs to see the value: `salaries:read`. */
  readonly readableBy?: string;
  /** The scope that a caller needs to set the value: `salaries:write`. */
  readonly writableBy?: string;
}

/** How items of other releases have the value. Source: CONTRIBUTING.md, "Changing what is stored". */
export type StoredForms = Pick<StoredField, 'was' | 'earlier' | 'later'>;

/**
 * A field as an author declares it. `Value`: the type of its values in an item. `Given`: true if every item has one.
 * `Server`: true if clients cannot set it.
 */
export interface Declared<
  out Value = unknown,
  out Given extends boolean = boolean,
  out Server extends boolean = boolean,
> {
  readonly [TYPE]?: readonly [Value, Given, Server];
  readonly required: boolean;
  readonly sortable: boolean;
  readonly filters: Readonly<Record<string, Suffix>>;
  /** Returns the field of the description. `name`: its name in the item, which gives the label. */
  readonly field: (name: string) => Field;
  /** Of a field with the state of a process: its states and transitions. */
  readonly process?: Omit<Process, 'field'>;
  /** Of a reference: the relation that it gives, and the link of an item to it. */
  readonly relation?: { readonly name?: string; readonly linked: 'item' | 'below' } & Pick<
    Relation,
    'to' | 'kind'
  >;
  /** Of a binary field: the relation of the link to its bytes. */
  readonly link?: string;
}

/** The fields of an item by their names. */
export type Fields = Readonly<Record<string, Declared>>;

type ValueOf<One> = One extends Declared<infer Value> ? Value : never;
type GivenIn<F> = { [Name in keyof F]: F[Name] extends Declared<unknown, true> ? Name : never }[keyof F];

/** The values of an item: a property that not every item has can be undefined. Decimals are exact. */
export type Values<F> = { readonly [Name in GivenIn<F>]: ValueOf<F[Name]> } & {
  readonly [Name in Exclude<keyof F, GivenIn<F>>]?: ValueOf<F[Name]> | undefined;
};

/** The names of the fields that clients can set. */
export type SettableIn<F> = {
  [Name in keyof F]: F[Name] extends Declared<unknown, boolean, true> ? never : Name;
}[keyof F];

/** A decimal as an author can write it. */
export type WrittenDecimal = Decimal | number;

/** The values that code sets. null removes a value. */
export type Changes<F> = {
  readonly [Name in keyof F]?: (ValueOf<F[Name]> extends Decimal ? WrittenDecimal : ValueOf<F[Name]>) | null;
};

/** Returns the label of a name: `Due date` for `dueDate`, and `Customer` for `customerId`. */
export function labelOf(name: string): string {
  const words = name
    .replace(/Id$/, '')
    .replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return capitalize(words);
}

/** Declares a field. `facts`: those of the author. `make`: returns the field with a label. */
export function declare<Value, Given extends boolean, Server extends boolean>(
  facts: FieldFacts<Given, Server>,
  make: (label: string) => Field,
  more: Pick<Declared, 'process' | 'relation' | 'link'> = {},
): Declared<Value, Given, Server> {
  const { label, required = false, sortable = false, filters = {} } = facts;
  return {
    required,
    sortable,
    filters,
    field: (name) => make(label ?? labelOf(name)),
    ...more,
  };
}

/** Returns the facts of a field that its description has. */
export function ofDescription<Facts extends FieldFacts<boolean>>(
  facts: Facts,
): Omit<Facts, 'label' | 'required' | 'sortable' | 'filters'> {
  const { label: _label, required: _required, sortable: _sortable, filters: _filters, ...rest } = facts;
  return rest;
}
