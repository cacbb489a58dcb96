/** The types of a resource. `npx resource-api types` writes those of a service. */
export interface Shape {
  /** The properties of an item in JSON. */
  readonly properties: unknown;
  /** The properties that a client sends. null removes one. */
  readonly sent: unknown;
  /** The names of the transitions. */
  readonly steps: PropertyKey;
  /** The bodies of the actions by their names; undefined for an action without a body. */
  readonly actions: unknown;
  /** What the methods of the resource cannot do; without it, they can do all. */
  readonly closed?: Effect;
}

/** What methods do to items. */
type Effect = 'create' | 'change' | 'remove';

/** `Methods`, unless the resource closes the effect. */
type Unless<S extends Shape, E extends Effect, Methods> = S extends { readonly closed: infer K }
  ? E extends K
    ? unknown
    : Methods
  : Methods;

/** The transitions and actions that the state of an item allows. */
type Actions<S extends Shape> = { readonly [Name in S['steps']]?: () => Promise<Item<S>> } & {
  readonly [Name in keyof S['actions']]: S['actions'][Name] extends undefined
    ? (() => Promise<Item<S>>) | undefined
    : ((body: S['actions'][Name]) => Promise<Item<S>>) | undefined;
};

/** An item: its properties, and the methods that change it. */
export type Item<S extends Shape> = S['properties'] & {
  readonly id: number;
  /** Times as RFC 3339 has them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** The entity tag of the version that this object shows; undefined for an item of a list. */
  readonly etag: string | undefined;
  /** The path of the item. */
  readonly href: string;
  readonly links: readonly Link[];
  /** The actions that the state of the item allows. A long one is done when it returns, and shows no item. @throws Problem */
  readonly actions: Actions<S>;
} & Unless<S, 'change', Changing<S>> &
  Unless<S, 'remove', Removing>;

interface Changing<S extends Shape> {
  /** Changes these properties, if no other client has changed the item. @throws Conflict, Problem */
  patch(changes: S['sent']): Promise<Item<S>>;
  /** Replaces the whole item, on the same condition. @throws Conflict, Problem */
  replace(values: S['sent']): Promise<Item<S>>;
}

interface Removing {
  /** Removes the item, if no other client has changed it. @throws Conflict, Problem */
  remove(): Promise<void>;
}

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly method?: string;
  /** The entity tag of an item, in the link `self` of an item in a list. */
  readonly etag?: string;
}

/** The query of a list: filters by the names of fields, also with `.gte` and other endings. */
export type Query<Properties> = {
  readonly [Name in keyof Properties as Name | (Name extends string ? `${Name}.${Ending}` : never)]?:
    | string
    | number
    | boolean;
} & {
  readonly sort?: string;
  /** The most items of one page. */
  readonly limit?: number;
  /** The items before the first one. */
  readonly offset?: number;
  /** The properties of each item. Without it, the items have all. */
  readonly fields?: readonly (keyof Properties & string)[];
  readonly expand?: readonly string[];
};
type Ending = 'gte' | 'gt' | 'lte' | 'lt' | 'prefix' | 'words';

/** The query of totals: the filters of a list, and the fields that make rows, to sum, and whose extremes to find. */
export type TotalsQuery<Properties, By> = Omit<Query<Properties>, 'sort' | 'limit' | 'expand'> & {
  /** At most two fields. Items with equal values are one row. Without it, all items are one row. */
  readonly by?: readonly By[];
} & { readonly [Measure in 'sum' | 'min' | 'max']?: readonly (keyof Properties & string)[] };

/** A row of totals: the values of `by`, the number of items, and a number for each field. */
export type Totals<Properties, By extends keyof Properties = never> = Partial<Pick<Properties, By>> & {
  readonly count: number;
} & {
  readonly [Measure in 'sum' | 'min' | 'max']?: { readonly [Name in keyof Properties]?: number };
};

/** Work that the service continues after its response. */
export interface Operation {
  readonly href: string;
  /** Waits for the end. Returns the JSON of the result. @throws Problem if the work failed */
  done(): Promise<unknown>;
}

/** The items of a resource. */
export type Collection<S extends Shape> = Reading<S> & Unless<S, 'create', Creating<S>>;

interface Reading<S extends Shape> {
  /** @throws Problem, with status 404 if there is no such item */
  get(id: number | string): Promise<Item<S>>;
  /** The items of all pages. @throws Problem */
  list(query?: Query<S['properties']>): AsyncIterable<Item<S>>;
  /** Counts and sums the items that meet the filters. @throws Problem, with status 400 for more items than it reads */
  totals<By extends keyof S['properties'] & string = never>(
    query?: TotalsQuery<S['properties'], By>,
  ): Promise<readonly Totals<S['properties'], By>[]>;
  /** Calls an action of the collection. Returns the item that it shows; of a long one, waits for its end. @throws Problem */
  act<Name extends keyof S['actions'] & string>(
    name: Name,
    ...body: S['actions'][Name] extends undefined ? [] : [body: S['actions'][Name]]
  ): Promise<Item<S>>;
}

interface Creating<S extends Shape> {
  /** Creates an item. A repeated attempt after a lost response has one effect. @throws Problem */
  create(values: S['sent']): Promise<Item<S>>;
  /** Creates all items, or none of them. @throws Problem */
  import(items: readonly S['sent'][]): Promise<Operation>;
}

/** The types of a view. */
export interface ViewShape {
  readonly parameters: unknown;
  /** The properties of a row, or of the one document. */
  readonly shown: unknown;
}

/** The parameters of a view: it may go without any if it requires none. */
type Parameters<All> = Record<never, never> extends All ? [parameters?: All] : [parameters: All];

/** A view. */
interface View<V extends ViewShape> {
  /** The rows of all pages. `limit`: the most rows of one page. @throws Problem, with status 400 if a parameter is wrong */
  rows(...parameters: Parameters<V['parameters'] & { readonly limit?: number }>): AsyncIterable<V['shown']>;
  /** The document of a view without rows. @throws Problem in the same way */
  one(...parameters: Parameters<V['parameters']>): Promise<V['shown']>;
}

/** The changes that an undo takes back: those of an author since a time, or those of an operation. Times: RFC 3339. */
export type Undo = (
  | { readonly since: string; readonly until?: string; readonly by?: string }
  | { readonly operation: number }
) & { readonly resources?: readonly string[]; readonly over?: boolean };

/** The changes of all items. */
interface Changes {
  /** Takes changes back. The result has counts, and the items that stay as they are. @throws Problem */
  undo(changes: Undo): Promise<Operation>;
}

/** The collections and views of a service, by the names of its resources. */
export type Api<Shapes> = { readonly changes: Changes } & {
  readonly [Name in keyof Shapes]: Shapes[Name] extends Shape
    ? Collection<Shapes[Name]>
    : Shapes[Name] extends ViewShape
      ? View<Shapes[Name]>
      : never;
};
