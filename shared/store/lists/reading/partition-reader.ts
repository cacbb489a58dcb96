import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../aws/clients/dynamodb.ts';
import { orUnavailable } from '../../../aws/faults.ts';
import type { Attributes } from '../../items/stored-value.ts';

/** How much one list may read before it returns a short page: rows, and DynamoDB's read units for their bytes. */
export interface Budget {
  rows: number;
  units: number;
}

/** Rows that one request may skip by `offset` or drop by a filter. Source: Specification 4.4, 4.16. */
export const MAXIMUM_ROWS = 10_000;

/**
 * DynamoDB's read units that one request may use for rows that it skips or counts: 20 MB. A unit reads 8 KB of an
 * index. Source: Amazon DynamoDB Developer Guide, "Read consistency" and "Capacity unit consumption".
 */
export const MAXIMUM_UNITS = 2_500;
/** A budget without limits. */
export const UNLIMITED: Budget = { rows: Number.POSITIVE_INFINITY, units: Number.POSITIVE_INFINITY };

/**
 * Reads one partition of an index in order, with one Query at a time.
 *
 * Source: Amazon DynamoDB API Reference, Query.
 */
export class PartitionReader {
  readonly #query: QueryCommandInput;
  readonly #budget: Budget;
  readonly #keeps: (row: Attributes) => boolean;
  /** The rows that the next Query evaluates. */
  #limit: number;
  #rows: Attributes[] = [];
  #next = 0;
  #resume: Attributes | undefined;
  #finished = false;

  /**
   * `share`: the number of rows that the caller expects to take from this partition. `keeps`: whether a row is in the
   * list.
   */
  constructor(query: QueryCommandInput, share: number, budget: Budget, keeps: (row: Attributes) => boolean) {
    this.#keeps = keeps;
    this.#query = query;
    this.#limit = share;
    this.#budget = budget;
    this.#resume = query.ExclusiveStartKey;
  }

  /** True if it must read to know its next row. */
  get isEmpty(): boolean {
    return this.#next >= this.#rows.length && !this.#finished;
  }

  /**
   * Reads until it finds a row, the end, or the end of the budget. Returns undefined if it need not read. `most`: the most
   * rows of one Query.
   */
  fill(most = Number.POSITIVE_INFINITY): Promise<void> | undefined {
    return this.isEmpty ? this.#read(most) : undefined;
  }

  /** The next row, which stays. undefined at the end; 'unknown' if the budget ended before the reader found a row. */
  head(): Attributes | undefined | 'unknown' {
    if (this.#next < this.#rows.length) return this.#rows[this.#next];
    return this.#finished ? undefined : 'unknown';
  }

  take(): void {
    this.#next += 1;
  }

  /** DynamoDB's key of the last row that the reader evaluated. */
  get frontier(): Attributes | undefined {
    return this.#resume;
  }

  async #read(most: number): Promise<void> {
    while (this.isEmpty && isLeft(this.#budget)) await this.#fetch(most);
  }

  async #fetch(most: number): Promise<void> {
    const answer = await orUnavailable(
      dynamoDb().send(
        new QueryCommand({
          ...this.#query,
          ExclusiveStartKey: this.#resume,
          ReturnConsumedCapacity: 'TOTAL',
          Limit: Math.max(1, Math.min(this.#limit, this.#budget.rows, most)),
        }),
      ),
    );
    const items = answer.Items ?? [];
    this.#rows = items.filter(this.#keeps);
    this.#next = 0;
    const evaluated = answer.ScannedCount ?? items.length;
    // If a filter drops most rows, a longer read finds the next one with fewer requests.
    if (this.#rows.length * 2 < evaluated) this.#limit *= 2;
    this.#budget.rows -= evaluated;
    this.#budget.units -= answer.ConsumedCapacity?.CapacityUnits ?? 0;
    this.#resume = answer.LastEvaluatedKey;
    this.#finished = answer.LastEvaluatedKey === undefined;
  }
}

const isLeft = ({ rows, units }: Budget): boolean => rows > 0 && units > 0;

/**
 * The rows to request from one of several partitions that share `count` rows evenly. Chance distributes the rows, so
 * the share includes two standard deviations.
 */
export function shareOf(count: number, partitions: number): number {
  if (partitions === 1) return count;
  const even = count / partitions;
  return Math.ceil(even + 2 * Math.sqrt(even) + 1);
}
