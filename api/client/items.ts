import type { Decimal } from '../../shared/json/decimal.ts';
import type { Definition } from '../definition.ts';
import type { SettableIn, Values } from '../fields/declared.ts';
import type { StepsOf } from '../fields/process.ts';

/** A value as JSON has it: decimals are numbers. */
type InJson<Value> = Value extends Decimal
  ? number
  : Value extends readonly (infer One)[]
    ? readonly InJson<One>[]
    : Value;

/** The properties of an item in JSON. */
export type Properties<F> = { readonly [Name in keyof Values<F>]: InJson<Values<F>[Name]> };

/** The properties that a client sends. null removes one. The service alone sets the others. */
export type Sent<F> = {
  readonly [Name in keyof Values<F> as Name extends SettableIn<F> ? Name : never]?: InJson<
    Values<F>[Name]
  > | null;
};

/** The bodies of the actions of a resource, by their names. */
type Bodies<A> = { readonly [Name in keyof A]?: (body: A[Name]) => Promise<unknown> };

/** The transitions and actions that the state of an item allows. */
type Actions<F, A> = { readonly [Name in StepsOf<F>]?: () => Promise<Item<F, A>> } & {
  readonly [Name in keyof Bodies<A>]: A[Name] extends undefined
    ? (() => Promise<Item<F, A>>) | undefined
    : ((body: A[Name]) => Promise<Item<F, A>>) | undefined;
};

/** An item: its properties, and the methods that change it. */
export type Item<F, A = unknown> = Properties<F> & {
  readonly id: number;
  /** Times as RFC 3339 has them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The entity tag of the version that this object shows; undefined for an item of a list. */
  readonly etag: string | undefined;
  /** The path of the item. */
  readonly href: string;
  readonly links: readonly Link[];
  /** Changes these properties, if no other client has changed the item. @throws Conflict, Problem */
  patch(changes: Sent<F>): Promise<Item<F, A>>;
  /** Replaces the whole item, on the same condition. @throws Conflict, Problem */
  replace(values: Sent<F>): Promise<Item<F, A>>;
  /** Removes the item, on the same condition. @throws Conflict, Problem */
  remove(): Promise<void>;
  /** The actions that the state of the item allows. @throws Problem */
  readonly actions: Actions<F, A>;
};

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly method?: string;
}

/** The query of a list: filters by the names of fields, also with `.gte` and other endings. */
export type Query<F> = {
  readonly [Name in keyof F as Name | (Name extends string ? `${Name}.${Ending}` : never)]?:
    | string
    | number
    | boolean;
} & {
  readonly sort?: string;
  /** The most items of one page. */
  readonly limit?: number;
  readonly expand?: readonly string[];
};
type Ending = 'gte' | 'gt' | 'lte' | 'lt' | 'prefix' | 'words';

/** Work that the service continues after its response. */
export interface Operation {
  readonly href: string;
  /** Waits for the end. Returns the JSON of the result. @throws Problem if the work failed */
  done(): Promise<unknown>;
}

/** The items of a resource. */
export interface Collection<F, A = unknown> {
  /** @throws Problem, with status 404 if there is no such item */
  get(id: number | string): Promise<Item<F, A>>;
  /** Creates an item. A repeated attempt after a lost response has one effect. @throws Problem */
  create(values: Sent<F>): Promise<Item<F, A>>;
  /** The items of all pages. @throws Problem */
  list(query?: Query<F>): AsyncIterable<Item<F, A>>;
  /** Calls an action of the collection. Returns the item that it shows. @throws Problem */
  act<Name extends keyof A & string>(name: Name, body: A[Name]): Promise<Item<F, A>>;
  /** Creates all items, or none of them. @throws Problem */
  import(items: readonly Sent<F>[]): Promise<Operation>;
}

/** The collections of a service, by the names of its resources. `Service`: modules or objects with definitions. */
export type Api<Service> = {
  readonly [Key in keyof Service as Service[Key] extends Definition<infer Name>
    ? Name
    : never]: Service[Key] extends Definition<string, infer F, infer A> ? Collection<F, A> : never;
};
