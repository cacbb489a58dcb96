import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type _Record,
  DescribeStreamCommand,
  type DynamoDBStreamsClient,
  ExpiredIteratorException,
  GetRecordsCommand,
  GetShardIteratorCommand,
  type GetShardIteratorCommandInput,
  TrimmedDataAccessException,
} from '@aws-sdk/client-dynamodb-streams';
import type { StreamRecord } from 'embedded-aws';
import type { ChangeSource } from './stream-pump.ts';

/**
 * Milliseconds between two reads without result. Lambda reads twice as often, but here all tables share one machine.
 */
const LOOK_MS = 500;

/**
 * True if the iterator is invalid and a new one can work. DynamoDB Local returns the second error for an iterator
 * from before the first record.
 */
const isInvalidIterator = (error: unknown): boolean =>
  error instanceof ExpiredIteratorException || error instanceof TrimmedDataAccessException;

/**
 * The changes of a table in an external DynamoDB, read as AWS Lambda reads them. It reads the shards one after
 * another, oldest first, because DynamoDB Local has one open shard at a time.
 *
 * Source: Amazon DynamoDB Developer Guide, "DynamoDB Streams and AWS Lambda triggers"; "DynamoDB local usage notes".
 */
export class RemoteChanges implements ChangeSource {
  readonly stream: string;
  readonly #client: DynamoDBStreamsClient;
  readonly #positions: StreamPositions;
  /** Records that were read and not yet processed. */
  #waiting: readonly StreamRecord[] = [];
  /** The current shard; undefined before the first. */
  #shard: string | undefined;
  /** True if the current shard has ended. */
  #hasEnded = false;
  #iterator: string | undefined;

  constructor(client: DynamoDBStreamsClient, stream: string, positions: StreamPositions) {
    this.#client = client;
    this.stream = stream;
    this.#positions = positions;
  }

  async next(limit: number, signal: AbortSignal): Promise<readonly StreamRecord[]> {
    while (this.#waiting.length === 0 && !signal.aborted) {
      try {
        await this.#read();
      } catch (error) {
        if (signal.aborted) break;
        this.#iterator = undefined;
        if (!isInvalidIterator(error)) console.error(error);
      }
      if (this.#waiting.length === 0) await pause(LOOK_MS, undefined, { signal }).catch(() => {});
    }
    return this.#waiting.slice(0, limit);
  }

  moveTo(record: StreamRecord): void {
    this.#waiting = this.#waiting.slice(this.#waiting.indexOf(record) + 1);
    const shard = this.#shard as string;
    this.#positions.move(this.stream, { shard, sequenceNumber: record.dynamodb.SequenceNumber });
  }

  async #read(): Promise<void> {
    this.#iterator ??= await this.#place();
    if (this.#iterator === undefined) return;
    const { Records = [], NextShardIterator } = await this.#client.send(
      new GetRecordsCommand({ ShardIterator: this.#iterator }),
    );
    this.#waiting = Records.map(asWritten);
    this.#iterator = NextShardIterator;
    this.#hasEnded = NextShardIterator === undefined;
  }

  /**
   * Returns an iterator after the last processed record, or at the start of the next shard; undefined if there is
   * none.
   */
  async #place(): Promise<string | undefined> {
    const description = new DescribeStreamCommand({ StreamArn: this.stream });
    const { StreamDescription } = await this.#client.send(description);
    const shards = (StreamDescription?.Shards ?? []).flatMap(({ ShardId }) => ShardId ?? []);
    const position = this.#positions.of(this.stream);
    // The records of a forgotten shard are older than a day, so the oldest known shard follows it.
    const at = shards.indexOf(this.#shard ?? position?.shard ?? '');
    const ShardId = this.#hasEnded || at < 0 ? shards[at + 1] : shards[at];
    if (ShardId === undefined) return undefined;
    this.#shard = ShardId;
    this.#hasEnded = false;
    const begin = { StreamArn: this.stream, ShardId, ShardIteratorType: 'TRIM_HORIZON' } as const;
    if (position?.shard !== ShardId) return this.#iteratorAt(begin);
    const SequenceNumber = position.sequenceNumber;
    try {
      return await this.#iteratorAt({ ...begin, ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber });
    } catch (error) {
      if (error instanceof TrimmedDataAccessException) return this.#iteratorAt(begin);
      throw error;
    }
  }

  async #iteratorAt(place: GetShardIteratorCommandInput): Promise<string | undefined> {
    return (await this.#client.send(new GetShardIteratorCommand(place))).ShardIterator;
  }
}

/** Converts an SDK record to its wire form, which Lambda passes on: bytes in base64, times in seconds. */
function asWritten({ dynamodb, ...record }: _Record): StreamRecord {
  const at = (dynamodb?.ApproximateCreationDateTime?.getTime() ?? 0) / 1000;
  return written({ ...record, dynamodb: { ...dynamodb, ApproximateCreationDateTime: at } }) as StreamRecord;
}

function written(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, written(each)]));
}

/** A position in a stream: after a record of a shard. */
interface StreamPosition {
  readonly shard: string;
  readonly sequenceNumber: string;
}

/** The read positions of streams, in a file that each change replaces as a whole. */
export class StreamPositions {
  readonly #path: string;
  readonly #positions: Map<string, StreamPosition>;

  constructor(path: string) {
    this.#path = path;
    this.#positions = new Map(Object.entries(read(path)));
  }

  of(stream: string): StreamPosition | undefined {
    return this.#positions.get(stream);
  }

  move(stream: string, position: StreamPosition): void {
    this.#positions.set(stream, position);
    const next = `${this.#path}.next`;
    writeFileSync(next, JSON.stringify(Object.fromEntries(this.#positions)));
    renameSync(next, this.#path);
  }
}

function read(path: string): Record<string, StreamPosition> {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
