import type { JsonObject } from '../json/value.ts';

/**
 * How far an operation has come: everything before `cursor` is done and counted, nothing behind it is.
 * What the cursor names is the action's own affair.
 */
export interface Checkpoint {
  readonly cursor?: string;
  readonly done: number;
  readonly failed: number;
  /** How many there are in all, once that is known. */
  readonly total?: number;
  /** The first of those that failed: an address and a problem each. */
  readonly failures: readonly JsonObject[];
}

/**
 * The run of an operation, for the action that is the operation. Whoever holds the lease alone may move the checkpoint;
 * what is done moves it in the same transaction, so that it is done once, wherever a worker dies.
 */
export interface Work {
  readonly operationId: number;
  /** Names the lease; another run has another name. */
  readonly lease: string;
  /** Milliseconds since the epoch, as are all times here. */
  readonly acceptedAt: number;
  readonly startedAt: number;
  /** After this, what is left is left to another run. */
  readonly deadline: number;
  /** The request that it does: what its problems name. */
  readonly basePath: string;
  readonly requestId: string;
  /** Where the run before came to. */
  readonly checkpoint: Checkpoint;
}

/** What stops a run: its time is over, the client cancelled the operation, or another run holds the lease. */
export type Interruption = 'time' | 'cancellation' | 'lease';
