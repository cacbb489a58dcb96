import type { ProblemName } from '../http/problem.ts';
import type { Actions } from './action.ts';
import type { Description } from './description.ts';
import type { Lifecycle, Version } from './evolution.ts';
import type { Field, Fields } from './fields.ts';
import type { Item } from './item.ts';
import type { LinkFact } from './link.ts';
import type { Operation, Route } from './route.ts';
import type { Validator } from './validate.ts';

/** How the items are kept in DynamoDB. */
export interface TableFacts {
  /** Fields whose items are listed together, each with the same sorts: `customerId` gives `/customers/{id}/orders`. */
  readonly partitions?: readonly string[];
  /** false: its items are listed in partitions alone, never all together. */
  readonly whole?: boolean;
  /** Items that wait for something are found by when they are due: those that have `_pending` and `_dueAt`. */
  readonly due?: boolean;
  /** The attribute with the time (s since the epoch) after which DynamoDB removes an item. */
  readonly timeToLive?: string;
}

/** A state of the items whose changes are events of their own, named after the state moved to: `order.paid`. */
export interface EventFacts {
  /** The field that holds the state. */
  readonly field: string;
  /** The only states worth an event; undefined: all of them, and every other change of an item besides. */
  readonly finals?: readonly string[];
}

/** What a resource's function needs beyond its own table; permissions are granted from it. */
export type Use =
  | { readonly table: string; readonly access: 'read' | 'check' | 'count' }
  | { readonly objects: string; readonly access: 'published' | 'read-write' | 'publish' | 'stage' };

/** The facts a resource is made of. */
export interface Resource {
  /** Plural; names the function, the table and the collection's link. */
  readonly name: string;
  readonly title: string;
  /** What it is, in a sentence or two: the description of its tag in the API description. */
  readonly about: string;
  readonly routes: readonly Route[];
  readonly actions: Actions;
  /**
   * Checks by the name of their action: what the action would refuse now, without an effect. The flow asks before it
   * accepts a request as an operation. `done`: nothing. Source: Specification 7.1.
   */
  readonly checks: Actions;
  /** The items; undefined for a resource that is a document. */
  readonly description?: Description;
  /** Raised whenever the representation changes its shape: it is part of every entity tag. */
  readonly revision: number;
  /** Fields that lists can be sorted by, beside the identifier and `createdAt`. */
  readonly sortable: readonly string[];
  /** Query parameter → field: keeps items whose field is at least the number given. */
  readonly filters: Readonly<Record<string, string>>;
  /** Query parameter → field: keeps items whose text is the one given, which must be among these. */
  readonly choices: Readonly<Record<string, { readonly field: string; readonly among: readonly string[] }>>;
  readonly validate?: Validator;
  readonly links: (item: Item) => readonly LinkFact[];
  readonly table?: TableFacts;
  /** A resource that has a table has events: created, changed, removed. Here is what differs. */
  readonly events?: EventFacts;
  readonly uses: readonly Use[];
  /** What `bytes` content must be: the beginning of its media type, e.g. `image/`; undefined: any. */
  readonly acceptsBytes?: string;
  /** Where a path that names nothing may have been meant to lead. */
  readonly suggestions?: (path: string) => readonly LinkFact[];
  /** What is wrong with a name that a client chose; undefined when nothing is. */
  readonly nameFault?: (name: string) => string | undefined;
  /** Later shapes of its representations; version 1 is what `description` says. */
  readonly versions?: readonly Version[];
  /** That it will go, and what comes after it. */
  readonly lifecycle?: Lifecycle;
  /** It changes by itself: nobody stores what it says. */
  readonly volatile?: boolean;
  /** What DELETE is to people where it removes nothing: the relation of the link that an item has while it can be done. */
  readonly removal?: string;
  /** Its documents have a bare text as well, served as `text/plain`. */
  readonly plain?: boolean;
  /** Problems that an action can state for reasons of its own, beside those that the flow finds. */
  readonly refusals: Readonly<Record<string, readonly ProblemName[]>>;
  /** Parameters of paths and queries, beside the identifier and those that the shape of an operation brings. */
  readonly parameters: Readonly<Record<string, Field>>;
  /** The members of a document, by the action that makes it. */
  readonly documents: Readonly<Record<string, Fields>>;
}

type Facts<Declared extends Fields> = Pick<Resource, 'name' | 'title' | 'about' | 'routes'> &
  Partial<Omit<Resource, 'sortable' | 'description' | 'filters' | 'actions' | 'checks'>> & {
    /** The actions, made from the other facts. */
    readonly actions: (resource: Resource) => Actions;
    readonly checks?: (resource: Resource) => Actions;
    readonly description?: Description<Declared>;
    readonly sortable?: readonly (keyof Declared & string)[];
    readonly filters?: Readonly<Record<string, keyof Declared & string>>;
  };

/**
 * Defines a resource. Routes that share a path are joined.
 * @throws Error when a route names an action that does not exist.
 */
export function resource<const Declared extends Fields>(facts: Facts<Declared>): Resource {
  const routes = joined(facts.routes);
  const blank: Resource = {
    revision: 1,
    sortable: [],
    filters: {},
    choices: {},
    links: () => [],
    uses: [],
    refusals: {},
    parameters: {},
    documents: {},
    ...(facts as Partial<Resource> & typeof facts),
    routes,
    actions: {},
    checks: {},
  } as Resource;
  const actions = facts.actions(blank);
  for (const { path, operations } of routes) {
    for (const { action } of Object.values(operations)) {
      if (!Object.hasOwn(actions, action)) {
        throw new Error(`${facts.name}: ${path} needs an action '${action}'`);
      }
    }
  }
  return { ...blank, actions, checks: facts.checks?.(blank) ?? {} };
}

function joined(routes: readonly Route[]): Route[] {
  const byPath = new Map<string, Route>();
  for (const route of routes) {
    const key = `${route.path} ${route.part ?? ''}`;
    const before: Readonly<Partial<Record<string, Operation>>> = byPath.get(key)?.operations ?? {};
    byPath.set(key, { ...route, operations: { ...before, ...route.operations } });
  }
  return [...byPath.values()];
}
