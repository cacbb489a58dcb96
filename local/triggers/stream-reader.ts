import type { StreamRecord } from '../../engines/dynamodb/streams/record.ts';

/** The changes of one table, and how far their reader has come. */
export interface ChangeSource {
  /** The ARN of the table's stream. */
  readonly stream: string;
  /** The changes behind the last one that was dealt with, at most `limit`; waits for one. None: the signal says so. */
  next(limit: number, signal: AbortSignal): Promise<readonly StreamRecord[]>;
  /** Keeps that this one, and all before it, were dealt with. */
  moveTo(record: StreamRecord): void;
}
