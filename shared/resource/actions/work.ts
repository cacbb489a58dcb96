import type { JsonObject } from '../../json/value.ts';

/**
 * How far an operation is. Everything before `cursor` is processed and counted, and nothing after it is. The action
 * defines the meaning of the cursor.
 */
export interface Checkpoint {
  readonly cursor?: string;
  readonly done: number;
  readonly failed: number;
  /** The total number of items, once known. */
  readonly total?: number;
  /** The first failures: an address and a problem each. */
  readonly failures: readonly JsonObject[];
}

/**
 * The run of an operation, as input of its action. Only the holder of the lease may move the checkpoint. An effect
 * and the move of the checkpoint are one transaction. The effect therefore happens once, wherever a worker crashes.
 */
export interface Work {
  readonly operationId: number;
  /** The identifier of the lease, which is new for each run. */
  readonly lease: string;
  /** In ms since the epoch, like all times here. */
  readonly acceptedAt: number;
  /** The start of this run. */
  readonly startedAt: number;
  /** The run stops at this time, and another run continues. */
  readonly deadline: number;
  /** The base path and the id of the accepted request: problems of the operation name them. */
  readonly basePath: string;
  readonly requestId: string;
  /** The checkpoint of the previous run. */
  readonly checkpoint: Checkpoint;
  /** The run only asks what it would change, and has no record. Nothing moves, so a second look finds the same. */
  readonly isTrial?: true;
}

/** Why a run stopped: its time ended, the client cancelled the operation, or another run holds the lease. */
export type Interruption = 'time' | 'cancellation' | 'lease';
