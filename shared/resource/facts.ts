import type { ProblemName } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';
import type { Access } from './access/access.ts';
import type { Ownership } from './access/owner.ts';
import type { Description, Field, Fields } from './description/description.ts';
import type { SchemaValidator } from './description/validate.ts';
import type { Item } from './item.ts';
import type { LinkFact } from './link.ts';
import type { FilterName } from './lists/filter.ts';
import type { Process } from './process.ts';
import type { Relation } from './relation.ts';

/** The methods that a route can define. HEAD follows GET, and OPTIONS works everywhere. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * How the action uses the content of a request. `none`: it has no input. `item`: a complete representation.
 * `items`: several of them. `change`: the properties to change, in any format of an item. `patch`: a patch
 * document. `bytes`: stored unchanged. `files`: several files. `body`: the body of a custom action.
 */
export type ContentKind = 'none' | 'item' | 'items' | 'change' | 'patch' | 'bytes' | 'files' | 'body';

/**
 * The purpose of a form: to create an item, to change it, to remove it, to trigger a transition or another action
 * without a body (a button only), or to fill in the body of a custom action.
 */
export type FormKind = 'new' | 'edit' | 'delete' | 'transition' | 'action';

/** The body of a custom action: a closed object. Its fields have the kinds and the rules of the fields of items. */
export interface BodyFacts {
  readonly description: Description;
  /** The relations of its fields to items that people name in its form. */
  readonly relations: Readonly<Record<string, Relation>>;
  readonly validate: SchemaValidator;
}

/**
 * An action that the author of a resource writes. `id`: its name in its path, in links and in names of operations.
 * `scope`: the scope that it needs, in place of `{resource}:write`. `body`: undefined: it takes none.
 */
export interface CustomActionFacts
  extends Pick<EndpointFacts, 'id' | 'summary' | 'about' | 'scope' | 'when' | 'isLong'> {
  readonly body?: {
    readonly fields: Fields;
    readonly required?: readonly string[];
    readonly relations?: BodyFacts['relations'];
    readonly validate: SchemaValidator;
  };
}

/** An action, as far as a client knows it. */
export interface ActionFacts {
  /** Never change it: it is in published names, such as the kind of an operation (`orders.pay`). */
  readonly id: string;
  /** Problems that the action can return, in addition to those of the flow. */
  readonly refusals?: readonly ProblemName[] | undefined;
}

/** What requests do to items by methods, and not by actions. A definition can close each. */
export type Effect = 'create' | 'change' | 'remove';

/**
 * The meaning of a method at a path. `shape` is the shape of a GET's response: one item, a list, bytes, a form, or
 * another document.
 */
export interface EndpointFacts extends ActionFacts {
  readonly content: ContentKind;
  /** The effect in a few words, such as `Cancel an operation`, if its method, content and shape do not say it. */
  readonly summary?: string;
  /** The effect in sentences for the description, if its content and shape do not say it. */
  readonly about?: string;
  readonly shape?: 'item' | 'list' | 'bytes' | 'form' | 'document';
  /** Present for a control URI of the form style: GET shows the form, POST accepts it. */
  readonly form?: FormKind;
  /** What it does to items, if a definition can close it. A form has the effect of its POST. */
  readonly effect?: Effect | undefined;
  /** Of a list below another item: the field of its items with the identifier of that item. */
  readonly listedBy?: string;
  /** Of a request with items below another one: the field of its items with the identifier in the path. */
  readonly fills?: string;
  /** Of a GET below the items of another resource: its name, and the field of its items that the response shows. */
  readonly below?: { readonly resource: string; readonly field?: string };
  /** The action for several items, if the content is a list. */
  readonly several?: ActionFacts;
  /** The body of a custom action, for `content: 'body'`. */
  readonly body?: BodyFacts | undefined;
  /** The scope that the endpoint needs; undefined: the one of its route. */
  readonly scope?: string | undefined;
  /** A scope that its action compares: with it, the caller may do more. */
  readonly widerScope?: string;
  /** True, or the reason why an item with these values does not allow the action; undefined: each item allows it. */
  readonly when?: ((values: JsonObject) => true | string) | undefined;
  /** Callers with `MANAGER_SCOPE` may use the endpoint, for the items of all owners. */
  readonly managed?: boolean;
  /** The endpoint can change many items. The client can limit their number by `max-affected`. */
  readonly bulk?: boolean;
  /** Its requests always become operations, whose effect is in steps. */
  readonly isLong?: boolean;
  /** The target need not exist, because the action creates it. */
  readonly creates?: boolean;
  /** The client chose the URI: the flow evaluates preconditions even if the target does not exist. */
  readonly clientManaged?: boolean;
  /** Query parameters in addition to those of the shape. */
  readonly parameters?: readonly string[];
  /** It signs a person in or out, so its action reads the cookies. Without a shape, it leads the browser elsewhere. */
  readonly signsIn?: boolean;
  /** The media types of the bytes, if they are fixed. */
  readonly mediaTypes?: readonly string[];
  /** The properties of a document. `required`: those that it always has; undefined: all. */
  readonly fields?: Fields;
  readonly required?: readonly string[];
  /** Of a view: the parameters of its query, with the rules of their fields. `shown`: the fields of a row, or of its document. */
  readonly asked?: Pick<BodyFacts, 'description' | 'validate'> & { readonly shown: Description };
  /** True if it takes the filters of the list of the resource. An unknown parameter gets 400: it could be one. */
  readonly hasFilters?: boolean;
  /** True if `items` of the document has rows, which are also CSV and JSON Lines. */
  readonly hasRows?: boolean;
  /** The document is also available in this format. */
  readonly plain?: 'text/plain' | 'application/link-format' | 'application/cloudevents-batch+json';
}

/**
 * The binary properties that a route serves: a declared one, or all undeclared ones. A client selects one by
 * `?fields={name}`. `accepts`: the range of its media types, for example `image/*`.
 */
export type ServedBinary =
  | { readonly kind: 'declared'; readonly name: string; readonly accepts: string }
  | { readonly kind: 'undeclared' };

/** One path template and its methods. */
export interface RouteFacts {
  readonly path: string;
  /** The bytes that the route serves; undefined: the whole item, list or document at the path. */
  readonly binary?: ServedBinary;
  /** Who may use the route; undefined: callers with a scope of the resource. */
  readonly access?: Access;
  readonly endpoints: Readonly<Partial<Record<RouteMethod, EndpointFacts>>>;
}

/** The deprecation of a resource. Times are ms since the epoch, addresses are paths without base path. */
export interface Lifecycle {
  /** When the deprecation starts or started. Source: RFC 9745 §2. */
  readonly deprecated?: number;
  /** When the service removes the resource. Source: RFC 8594 §3. */
  readonly sunset?: number;
  /** The path of a document about the deprecation. Source: RFC 9745 §3. */
  readonly notice?: string;
  /** The path of the replacement. Source: RFC 5829 §3.2. */
  readonly successor?: string;
}

/** The storage of the items. */
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
  /** The attribute with the time (s since the epoch) after which the store removes an item. */
  readonly timeToLive?: string;
}

/**
 * At most `count` items agree on the fields `of`. It counts the items that have all of these fields, and the values of
 * `where`; with owners, those of one owner. `says`: why a write beyond it gets 409.
 */
export interface Limit {
  readonly count: number;
  readonly of: readonly string[];
  readonly where?: object;
  readonly says: string;
}

/** Totals that the service keeps: a row for the values of `by`, with the sums of the fields `sum`. */
export interface KeptTotal {
  readonly by: readonly string[];
  readonly sum?: readonly string[];
}

/** A resource without its actions and capabilities. Representations, pages and scopes need no more. */
export interface ResourceFacts {
  /** Plural; names the function, the table and the collection's link. */
  readonly name: string;
  readonly title: string;
  /** A description in one or two sentences, for its tag in the API description. */
  readonly about: string;
  readonly routes: readonly RouteFacts[];
  /** The items; undefined for a resource that is a document. */
  readonly description?: Description;
  /** Increased with every change to the shape of the representation. It is part of every entity tag. */
  readonly revision: number;
  /** Fields whose order an index has, in addition to the identifier and `createdAt`. */
  readonly sortable: readonly string[];
  /** Further names of filters: `{ minCost: 'orderValue.gte' }`. */
  readonly filters: Readonly<Record<string, FilterName>>;
  readonly links: (item: Item) => readonly LinkFact[];
  /** The links of the list to the custom actions of the collection. */
  readonly listLinks?: readonly LinkFact[];
  /** The relations that a client can expand, by their names. */
  readonly relations: Readonly<Record<string, Relation>>;
  readonly table?: TableFacts;
  /** The states of an item. Its first state, its events, and its links to the allowed transitions follow from this. */
  readonly process?: Process;
  /** How long the service keeps an earlier version after its end; undefined: it keeps none. Source: Specification 16.1. */
  readonly history?: { readonly days: number };
  /** What requests cannot do, except for actions; undefined: nothing is closed. */
  readonly closed?: readonly Effect[];
  /** Who owns an item; undefined: items have no owners. For every other caller, the item does not exist. */
  readonly owner?: Ownership;
  /** How many items may agree on some fields. */
  readonly atMost?: readonly Limit[];
  /** Totals that the service keeps from the stream of changes. They need a history. */
  readonly keptTotals?: readonly KeptTotal[];
  /** Links that a 404 suggests for an unknown path. */
  readonly suggestions?: (path: string) => Promise<readonly LinkFact[]>;
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
