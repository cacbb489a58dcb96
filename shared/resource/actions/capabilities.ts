import type { Request } from '../../http/request.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Ownership } from '../access/owner.ts';
import type { Description } from '../description/description.ts';
import type { Item, StoredBinary } from '../item.ts';
import type { SentBytes } from '../sent.ts';
import type { Call, IdempotentRequest, ItemCall } from './action.ts';
import type { Bytes, Outcome } from './outcome.ts';

/** An operation that the service has accepted. */
export type AcceptedOperation = Extract<Outcome, { kind: 'accepted' }>;

/**
 * The capability to record answers and to replay them. A resource that declares it may use the table of recorded
 * answers.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.
 */
export interface Idempotency {
  /**
   * Finds the recorded answer of a request: `answered`, or `done` for a new request. `now`: ms since the epoch.
   *
   * @throws Unavailable if the storage does not respond
   */
  replay(request: Pick<IdempotentRequest, 'id'>, now: number): Promise<Outcome>;
  /**
   * Records the answer to an outcome without effect. Returns the outcome, or `stale` if another request with the key
   * was faster.
   *
   * @throws Unavailable if the storage does not respond
   */
  record(input: Pick<Call, 'idempotency' | 'now'>, outcome: Outcome): Promise<Outcome>;
}

/** A request that a worker runs later. `kind`: the name of the operation. `total`: the number of its items. */
export interface DeferredRequest {
  readonly kind: string;
  readonly request: Request;
  readonly total?: number;
}

/**
 * The capability to turn requests into operations. A resource that declares it may create operations and send
 * messages to the worker.
 *
 * Source: Specification 7.1.
 */
export interface Deferral {
  /**
   * Stores the request as an operation and starts a worker. Returns `accepted`, or `stale` if another request with the
   * idempotency key was faster.
   *
   * @throws Unavailable if an engine does not respond
   */
  accept(input: Call, deferred: DeferredRequest): Promise<Outcome>;
  /**
   * Waits up to `input.waitMs` ms for the end of a new operation. Returns the outcome of the request, or the
   * operation if it still runs; undefined if the service did not wait, because too many requests do.
   *
   * @throws Unavailable if an engine does not respond
   */
  waitForEnd(
    input: Call & Pick<ItemCall, 'waitMs'>,
    operation: AcceptedOperation,
  ): Promise<Outcome | undefined>;
}

/** The item that has bytes: the name of its resource and its identifier. */
export interface BinaryOwner {
  readonly resource: string;
  readonly id: number | string;
}

/**
 * The capability to store the bytes of binary properties. A resource that declares it may read and write objects.
 * All methods @throws Unavailable if the storage does not respond.
 *
 * Source: Specification 2.21.
 */
export interface BinaryStorage {
  /** Stores bytes that no item names yet. `now`: ms since the epoch. */
  store(owner: BinaryOwner, sent: SentBytes, now: number): Promise<StoredBinary>;
  /** The bytes for a response. `isDeclared`: the description names the property. */
  bytes(stored: StoredBinary, isDeclared: boolean): Bytes;
  /** Removes bytes that no item names. */
  discard(keys: readonly string[]): Promise<void>;
}

/**
 * The items of a resource, as a custom action reads and writes them. A method throws if the action itself is wrong, for
 * example if it sets a field that does not exist.
 */
export interface ItemsInUnit {
  /**
   * Reads an item that the caller may see, with the changes of this action. Returns undefined for a missing item.
   * @throws Unavailable if the storage does not respond; UnreadableItem if its stored form is unknown
   */
  get(id: number): Promise<Item | undefined>;
  /** Creates an item. The values may include fields that only the service sets. */
  create(values: JsonObject): Item;
  /** Changes these values of an item. null removes a value. The values may include fields that only the service sets. */
  update(item: Item, changes: JsonObject): Item;
  remove(item: Item): void;
}

/** The items of the own resource, and those of the resources in `uses`. `Other`: the type of resources. */
export interface ActionItems<Other> extends ItemsInUnit {
  /** The items of another resource. @throws Error if `uses` does not name it under `writes` */
  of(other: Other): ItemsInUnit;
}

/** A change that a request would make. `before`, `after`: the item; undefined: it does not exist. */
export interface PlannedChange {
  readonly resource: { readonly name: string; readonly owner?: Ownership | undefined };
  readonly description: Description;
  readonly id: number | string;
  readonly change: 'created' | 'updated' | 'removed' | 'restored';
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
}

/** The changes that work would make: the first ones, and how many items it would change in all. */
export interface PlannedWork<Result> {
  readonly result: Result;
  readonly changes: readonly PlannedChange[];
  readonly total: number;
}

/**
 * The capability to try a request out.
 *
 * Source: Specification 7.18.
 */
export interface DryRun {
  /** Runs work whose writes reach no engine. @throws Unavailable if the storage does not respond */
  changesBy<Result>(work: () => Promise<Result>): Promise<PlannedWork<Result>>;
}
