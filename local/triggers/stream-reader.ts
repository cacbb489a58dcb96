import type { StreamRecord } from '../../engines/dynamodb/streams/record.ts';

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
