import { setTimeout as pause } from 'node:timers/promises';
import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { StreamRecord } from 'embedded-aws';

/** The changes of one table, and the position of their reader. */
export interface ChangeSource {
  /** The ARN of the table's stream. */
  readonly stream: string;
  /**
   * Returns at most `limit` changes after the last processed one, and waits for at least one. Empty only after the
   * signal.
   */
  next(limit: number, signal: AbortSignal): Promise<readonly StreamRecord[]>;
  /** Stores that this change and all before it are processed. */
  moveTo(record: StreamRecord): void;
}

/** A function that streams call. */
export type Handler = (event: DynamoDBStreamEvent) => Promise<DynamoDBBatchResponse>;

/** What differs between the pumps of functions. */
interface Differences {
  /** The first pause before a retry, in ms. */
  readonly pauseMs?: number;
  /** Keeps a record that the function failed to process for good; by default, the log names it. */
  readonly setAside?: (stream: string, record: StreamRecord) => Promise<void>;
}

/** Maximum records in one batch. It is small, so that requests do not wait for their events. */
const BATCH = 25;
/** Pause in ms after a batch that was not full. A busy service then sends many changes in one batch. */
const GAP_MS = 20;
/** Retries of a record before it is set aside. The pauses double up to a limit. */
export const RETRIES = 10;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Sends the changes of each table with a stream to a function, as Lambda's event source mappings do. The changes of a
 * table stay in order, and the next batch follows only after the function has processed the last one. The source
 * stores the position. After a crash, the function gets the changes since that position again.
 *
 * Source: AWS Lambda Developer Guide, "Process DynamoDB records with Lambda".
 */
export class StreamPump {
  readonly #load: () => Promise<Handler>;
  readonly #stopping = new AbortController();
  readonly #lanes: readonly Promise<void>[];

  #waiting = 0;
  readonly #pauseMs: number;
  readonly #setAside: (stream: string, record: StreamRecord) => Promise<void>;

  /** `load` returns the function when the first change arrives. */
  constructor(
    sources: readonly ChangeSource[],
    load: () => Promise<Handler>,
    { pauseMs = FIRST_PAUSE_MS, setAside = skip }: Differences = {},
  ) {
    this.#load = load;
    this.#pauseMs = pauseMs;
    this.#setAside = setAside;
    this.#lanes = sources.map((source) => this.#run(source));
  }

  /** True while a lane has changes that its function has not processed. */
  get isBusy(): boolean {
    return this.#waiting < this.#lanes.length;
  }

  /** Resolves when the last invocation has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#lanes);
  }

  /** After a failure of the engine, such as a full disk, the lane begins again at the position of the source. */
  async #run(source: ChangeSource): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.#lane(source, signal).catch((error) => console.error(error));
      await gap(10 * this.#pauseMs, signal);
    }
  }

  async #lane(source: ChangeSource, signal: AbortSignal): Promise<void> {
    let attempt = 0;
    const moveTo = (record: StreamRecord) => {
      attempt = 0;
      source.moveTo(record);
    };
    for (;;) {
      this.#waiting += 1;
      const records = await source.next(BATCH, signal);
      this.#waiting -= 1;
      if (signal.aborted) return;
      const done = await this.#deliver(source.stream, records);
      const last = records[done - 1];
      if (last) moveTo(last);
      const stuck = records[done];
      if (!stuck) {
        if (records.length < BATCH) await gap(GAP_MS, signal);
      } else if (attempt >= RETRIES && (await this.#isSetAside(source.stream, stuck))) {
        moveTo(stuck);
      } else {
        await gap(Math.min(this.#pauseMs * 2 ** attempt, LONGEST_PAUSE_MS), signal);
        attempt += 1;
      }
    }
  }

  async #isSetAside(stream: string, record: StreamRecord): Promise<boolean> {
    try {
      await this.#setAside(stream, record);
      return true;
    } catch (error) {
      console.error(error);
      return false;
    }
  }

  /** Returns how many of the records, from the first on, the function has processed. */
  async #deliver(stream: string, records: readonly StreamRecord[]): Promise<number> {
    try {
      const handler = await this.#load();
      const { batchItemFailures } = await handler({
        Records: records.map((record) => asEventRecord(stream, record)),
      });
      const failed = batchItemFailures.map(({ itemIdentifier }) =>
        records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier),
      );
      // An unknown sequence number fails the whole batch.
      return Math.max(0, Math.min(records.length, ...failed));
    } catch (error) {
      console.error(error);
      return 0;
    }
  }
}

/**
 * Converts a stream record to the record of a Lambda event. Source: AWS Lambda Developer Guide, "Using AWS Lambda
 * with Amazon DynamoDB", example event.
 */
function asEventRecord(eventSourceARN: string, { userIdentity, ...record }: StreamRecord) {
  const identity = userIdentity && { type: userIdentity.Type, principalId: userIdentity.PrincipalId };
  return {
    ...record,
    ...(identity && { userIdentity: identity }),
    eventSourceARN,
  } as DynamoDBStreamEvent['Records'][number];
}

const skip = async (stream: string, { dynamodb }: StreamRecord): Promise<void> =>
  console.error(`Skipped a record after ${RETRIES} retries: ${dynamodb.SequenceNumber} of ${stream}`);

const gap = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => {});
