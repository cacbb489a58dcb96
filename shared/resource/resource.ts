import type { Ownership } from './access/owner.ts';
import type { BinaryStorage, Deferral, Idempotency } from './actions/capabilities.ts';
import type { Description, Field, Fields, ItemFacts } from './description/description.ts';
import type { SchemaValidator } from './description/validation/validate.ts';
import type { Lifecycle, Version } from './evolution.ts';
import type { Item } from './item.ts';
import type { LinkFact } from './link.ts';
import type { FilterName } from './lists/filter.ts';
import { type Process, transitionLinks } from './process.ts';
import type { Relation } from './relation.ts';
import { mergeRoutes, type Route } from './route.ts';

/** The storage of the items in DynamoDB. */
export interface TableFacts {
  /**
   * Fields that partition the list, each with the same sort orders: `customerId` gives `/customers/{id}/orders`.
   */
  readonly partitions?: readonly string[];
  /** false: the items are listed in partitions only, and never all together. */
  readonly whole?: boolean;
  /** The number of shards of each list; undefined: the option `shards`. It can only grow. */
  readonly shards?: number;
  /** True if the table has an index of items by due time. It holds the items with `_pending` and `_dueAt`. */
  readonly due?: boolean;
  /** The attribute with the time (s since the epoch) after which DynamoDB removes an item. */
  readonly timeToLive?: string;
}

/** A state whose changes have event types of their own, named after the new state: `order.paid`. */
export interface EventFacts {
  /** The field that holds the state. */
  readonly field: string;
  /** The states that cause an event; undefined: every state does, and so does every other change of an item. */
  readonly finals?: readonly string[];
}

/**
 * The needs of the function of a resource in addition to its own table. Its permissions follow from this. `count`: only
 * the previous release needs it, until a deployment has replaced that release.
 */
export type Use =
  | { readonly table: string; readonly access: 'read' | 'check' | 'count' }
  | { readonly objects: string; readonly access: 'published' | 'read' | 'read-write' | 'publish' | 'stage' };

/** A resource with references to another one. */
export type Referrer = Pick<ItemFacts, 'name' | 'description'>;

/** The definition of a resource. */
export interface Resource {
  /** Plural; names the function, the table and the collection's link. */
  readonly name: string;
  readonly title: string;
  /** A description in one or two sentences, for its tag in the API description. */
  readonly about: string;
  readonly routes: readonly Route[];
  /** How it records and replays answers; false if it has no idempotent requests. */
  readonly idempotency: Idempotency | false;
  /** How its requests become operations; false if they never do. */
  readonly deferral: Deferral | false;
  /** Where it stores the bytes of binary properties; false if its items have none. */
  readonly binaries: BinaryStorage | false;
  /** The items; undefined for a resource that is a document. */
  readonly description?: Description;
  /** Increased with every change to the shape of the representation. It is part of every entity tag. */
  readonly revision: number;
  /** Fields whose order an index has, in addition to the identifier and `createdAt`. */
  readonly sortable: readonly string[];
  /** Further names of filters: `{ minCost: 'orderValue.gte' }`. */
  readonly filters: Readonly<Record<string, FilterName>>;
  readonly validate?: SchemaValidator;
  readonly links: (item: Item) => readonly LinkFact[];
  /** The relations that a client can expand, by their names. */
  readonly relations: Readonly<Record<string, Relation>>;
  readonly table?: TableFacts;
  /** The resources whose items refer to items of this one, and keep them from removal: `restrict`. */
  readonly referredBy: readonly Referrer[];
  /** Who owns an item; undefined: items have no owners. For every other caller, the item does not exist. */
  readonly owner?: Ownership;
  /** The states of an item. Its first state, its events, and its links to the allowed transitions follow from this. */
  readonly process?: Process;
  /** A resource with a table has events: created, changed, removed. `events` declares the differences. */
  readonly events?: EventFacts;
  readonly uses: readonly Use[];
  /** Links that a 404 suggests for an unknown path. */
  readonly suggestions?: (path: string) => readonly LinkFact[];
  /** Later shapes of its representations. `description` describes version 1. */
  readonly versions?: readonly Version[];
  /** The deprecation of the resource and its replacement. */
  readonly lifecycle?: Lifecycle;
  /**
   * The state of an item changes without a request, so no client or cache may store a representation. DELETE removes
   * nothing. `removal`: the relation of the link that an item has while DELETE has an effect.
   */
  readonly tracked?: { readonly removal: string };
  /** Parameters of paths and queries, in addition to the identifier and those of the shape of an endpoint. */
  readonly parameters: Readonly<Record<string, Field>>;
}

type Facts<Declared extends Fields> = Pick<Resource, 'name' | 'title' | 'about'> &
  Partial<Omit<Resource, 'sortable' | 'description' | 'filters' | 'relations' | 'routes'>> & {
    /** Makes the routes. Their actions may refer to `resource`, which gets these routes before the first request. */
    readonly routes: (resource: Resource) => readonly Route[];
    readonly description?: Description<Declared>;
    readonly sortable?: readonly (keyof Declared & string)[];
    readonly filters?: Readonly<Record<string, FilterName<keyof Declared & string>>>;
    readonly relations?: Readonly<Record<string, Relation<keyof Declared & string>>>;
  };

/** Defines a resource and merges routes with the same path. */
export function resource<const Declared extends Fields>(facts: Facts<Declared>): Resource {
  const { process, links = () => [] } = facts;
  const made: Resource & { routes: readonly Route[] } = {
    revision: 1,
    sortable: [],
    filters: {},
    relations: {},
    uses: [],
    referredBy: [],
    parameters: {},
    idempotency: false,
    deferral: false,
    binaries: false,
    ...(process ? { events: { field: process.field } } : {}),
    ...facts,
    links: process ? (item) => [...links(item), ...transitionLinks(process, facts.name, item)] : links,
    routes: [],
  };
  made.routes = mergeRoutes(facts.routes(made));
  return made;
}
