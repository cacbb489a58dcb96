import { HAS_PAGES } from '#about';
import type { Problem } from '../http/problem.ts';
import type { JsonObject } from '../json/value.ts';
import type { ActionItems, BinaryStorage, Deferral, DryRun, Idempotency } from './actions/capabilities.ts';
import type { Complete } from './actions/outcome.ts';
import type { Description, Fields, ItemFacts } from './description/description.ts';
import type { SchemaValidator } from './description/validate.ts';
import type { ResourceFacts } from './facts.ts';
import type { LinkFact } from './link.ts';
import type { FilterName } from './lists/filter.ts';
import type { Needs } from './needs.ts';
import { withTransitions } from './process.ts';
import type { Relation } from './relation.ts';
import { customLinks, isCustomAction, mergeRoutes, type Route, withoutForms } from './route.ts';

/** A state whose changes have event types of their own, named after the new state: `order.paid`. */
export interface EventFacts {
  /** The field that holds the state. */
  readonly field: string;
  /** The states that cause an event; undefined: every state does, and so does every other change of an item. */
  readonly finals?: readonly string[];
}

/** The event that the service publishes for a change. Source: CloudEvents 1.0.2, "Context Attributes". */
export interface ChangeEvent {
  /** The same id in every delivery of the event. */
  readonly id: string;
  /** `customer.created`, `order.paid`. */
  readonly type: string;
  /** The time of the change. Source: RFC 3339. */
  readonly time: string;
  /** The path of the item. */
  readonly subject: string;
  /** The item as in its JSON representation, without links. After a removal: its last state. */
  readonly data?: JsonObject;
}

/** A change of an item, for the code of an author. */
export interface Change {
  readonly id: number | string;
  /** The item before the change: its JSON representation with all fields and `version`. Absent after a creation. */
  readonly before?: JsonObject;
  /** The item after the change, in the same form. Absent after a removal. */
  readonly after?: JsonObject;
  readonly event: ChangeEvent;
}

/** The facts of a resource that make its lists. */
type Listed = Pick<Resource, 'name' | 'description' | 'sortable' | 'table' | 'owner' | 'history'>;

/** The needs of the function of a resource in addition to its own table. Its permissions follow from this. */
export type Use =
  | { readonly table: string; readonly access: 'read' | 'check' | 'follow' | 'wait' }
  /** The items of another resource that code of an author reads, one by one and in lists. */
  | { readonly reads: Listed }
  /** The items of another resource that custom actions write. Their code also reads its lists. */
  | { readonly writes: Listed & Pick<Resource, 'referredBy' | 'uses'> }
  | {
      readonly objects: string;
      readonly access: 'published' | 'read' | 'read-write' | 'publish' | 'stage';
      /** How long the bucket keeps a version after its end. The function lists and reads versions. */
      readonly history?: { readonly days: number };
    };

/** Returns the days for which the bucket keeps earlier versions of files; undefined: the service shows none. */
export const keptDays = (registry: readonly Pick<Resource, 'uses'>[]): number | undefined =>
  registry
    .flatMap(({ uses }) => uses)
    .flatMap((use) => ('objects' in use ? (use.history?.days ?? []) : []))[0];

/** A resource with references to another one. */
export type Referrer = Pick<ItemFacts, 'name' | 'description'>;

/** The definition of a resource. */
export interface Resource extends ResourceFacts {
  readonly routes: readonly Route[];
  /** How it records and replays answers; false if it has no idempotent requests. */
  readonly idempotency: Idempotency | false;
  /** How its requests become operations; false if they never do. */
  readonly deferral: Deferral | false;
  /** Tries its requests out: what they would change. Undefined: its requests change no items. */
  readonly dryRun?: DryRun;
  /** Where it stores the bytes of binary properties; false if its items have none. */
  readonly binaries: BinaryStorage | false;
  readonly validate?: SchemaValidator;
  /** The rule of the values of an item. Each write applies it, except for that of a transition. */
  readonly complete?: Complete;
  /** The rule of removals: returns why an item with these values stays. Each removal applies it. */
  readonly checkRemoval?: (values: JsonObject) => Promise<Problem | undefined>;
  /** The schema validator of the fields in `serverPart` of the description, which custom actions can set. */
  readonly validateServer?: SchemaValidator;
  /** The resources whose items refer to items of this one, and keep them from removal: `restrict`. */
  readonly referredBy: readonly Referrer[];
  /** True if the service removes the references of other items to an item that is gone: `clear`. */
  readonly isCleared: boolean;
  /** The names of the items of other resources, each with the name of its resource. */
  readonly otherNames: Readonly<Record<string, string>>;
  /** A resource with a table has events: created, changed, removed. `events` declares the differences. */
  readonly events?: EventFacts;
  /**
   * The service calls it for each change that has an event: at least once, and in order for each item. If it throws,
   * the service calls it again, up to a limit. It needs a table.
   */
  readonly onChange?: (change: Change & { readonly items: ActionItems<Resource> }) => Promise<void>;
  readonly uses: readonly Use[];
  /** What the code of its author needs, in actions and in `onChange`. */
  readonly needs?: Needs;
  /** Loads all resources, if the page at `/` shows what they have. */
  readonly shows?: () => Promise<readonly Resource[]>;
}

type Facts<Declared extends Fields> = Pick<Resource, 'name' | 'title' | 'about'> &
  Partial<
    Omit<
      Resource,
      | 'sortable'
      | 'description'
      | 'filters'
      | 'relations'
      | 'routes'
      | 'referredBy'
      | 'isCleared'
      | 'otherNames'
      | 'listLinks'
    >
  > & {
    /** Makes the routes. Their actions may refer to `resource`, which gets these routes before the first request. */
    readonly routes: (resource: Resource) => readonly Route[];
    readonly description?: Description<Declared>;
    /** A function, because the definitions of the others may be loaded after this one. */
    readonly referredBy?: () => readonly Referrer[];
    readonly isCleared?: () => boolean;
    readonly otherNames?: () => Readonly<Record<string, string>>;
    readonly sortable?: readonly (keyof Declared & string)[];
    readonly filters?: Readonly<Record<string, FilterName<keyof Declared & string>>>;
    readonly relations?: Readonly<Record<string, Relation<keyof Declared & string>>>;
  };

/** The facts that follow from the routes. */
type Made = { routes: Resource['routes']; links: Resource['links']; listLinks?: readonly LinkFact[] };

function withCustomLinks(made: Resource & Made): Resource {
  const { links } = made;
  const own = customLinks(made.routes);
  made.links = (item) => [...links(item), ...own.ofItem(item)];
  made.listLinks = own.ofList;
  return made;
}

/** Defines a resource and merges routes with the same path. */
export function resource<const Declared extends Fields>(facts: Facts<Declared>): Resource {
  const {
    process,
    links = () => [],
    referredBy = () => [],
    isCleared = () => false,
    otherNames = () => ({}),
    ...stated
  } = facts;
  const made: Resource & Made = {
    revision: 1,
    sortable: [],
    filters: {},
    relations: {},
    uses: [],
    parameters: {},
    idempotency: false,
    deferral: false,
    binaries: false,
    ...(process ? { process, events: { field: process.field } } : {}),
    ...stated,
    get referredBy() {
      return referredBy();
    },
    get isCleared() {
      return isCleared();
    },
    get otherNames() {
      return otherNames();
    },
    links: process ? withTransitions(process, facts.name, links) : links,
    routes: [],
  };
  const routes = facts.routes(made);
  made.routes = mergeRoutes(HAS_PAGES ? routes : withoutForms(routes));
  defined.add(made);
  const hasCustom = made.routes.some(({ endpoints: { POST } }) => isCustomAction(POST));
  return hasCustom ? withCustomLinks(made) : made;
}

const defined = new WeakSet<object>();

/** True for the definition of a resource. */
export const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && defined.has(value);

/** Returns the description of the items of a resource. @throws Error if the resource describes none */
export function descriptionOf({ name, description }: Pick<Resource, 'name' | 'description'>): Description {
  if (!description) throw new Error(`The resource ${name} describes no items`);
  return description;
}

/** Returns the schema validator of the items of a resource. @throws Error if the resource has none */
export function schemaValidatorOf({ name, validate }: Pick<Resource, 'name' | 'validate'>): SchemaValidator {
  if (!validate) throw new Error(`The resource ${name} has no validator`);
  return validate;
}
