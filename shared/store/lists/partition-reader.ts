import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../aws/clients.ts';
import { orUnavailable } from '../../aws/faults.ts';
import type { Attributes } from '../items/attributes.ts';

/** How much a list may read in all before it answers what it has: rows, and DynamoDB's read units for their bytes. */
export interface Budget {
  rows: number;
  units: number;
}

/**
 * DynamoDB's read units that one request may use for rows that it passes over or counts: 20 MB. A unit reads 8 KB of an
 * index. Source: Amazon DynamoDB Developer Guide, "Read consistency" and "Capacity unit consumption".
 */
export const MAXIMUM_UNITS = 2_500;
/** No bound at all. */
export const UNLIMITED: Budget = { rows: Number.POSITIVE_INFINITY, units: Number.POSITIVE_INFINITY };

/**
 * One partition of an index, read in order, a Query at a time.
 *
 * Source: Amazon DynamoDB API Reference, Query.
 */
export class PartitionReader {
  readonly #query: QueryCommandInput;
  readonly #budget: Budget;
  readonly #share: number;
  #rows: Attributes[] = [];
  #next = 0;
  #resume: Attributes | undefined;
  #finished = false;

  /** `share`: how many rows the caller expects to take from this partition. */
  constructor(query: QueryCommandInput, share: number, budget: Budget) {
    this.#query = query;
    this.#share = share;
    this.#budget = budget;
    this.#resume = query.ExclusiveStartKey;
  }

  /** Reads on until a row is known, the end is, or the budget is spent; undefined when nothing has to be read. */
  fill(): Promise<void> | undefined {
    return this.#next < this.#rows.length || this.#finished ? undefined : this.#read();
  }

  /** The next row without taking it: undefined at the end, 'unknown' when the budget ended before a row was found. */
  head(): Attributes | undefined | 'unknown' {
    if (this.#next < this.#rows.length) return this.#rows[this.#next];
    return this.#finished ? undefined : 'unknown';
  }

  take(): void {
    this.#next += 1;
  }

  /** Where reading stopped, as DynamoDB names it: every row up to here was seen. */
  get frontier(): Attributes | undefined {
    return this.#resume;
  }

  async #read(): Promise<void> {
    while (this.#next >= this.#rows.length && !this.#finished && isLeft(this.#budget)) await this.#fetch();
  }

  async #fetch(): Promise<void> {
    const answer = await orUnavailable(
      dynamoDb().send(
        new QueryCommand({
          ...this.#query,
          ExclusiveStartKey: this.#resume,
          ReturnConsumedCapacity: 'TOTAL',
          Limit: Math.max(1, Math.min(this.#share, this.#budget.rows)),
        }),
      ),
    );
    this.#rows = answer.Items ?? [];
    this.#next = 0;
    this.#budget.rows -= answer.ScannedCount ?? this.#rows.length;
    this.#budget.units -= answer.ConsumedCapacity?.CapacityUnits ?? 0;
    this.#resume = answer.LastEvaluatedKey;
    this.#finished = answer.LastEvaluatedKey === undefined;
  }
}

const isLeft = ({ rows, units }: Budget): boolean => rows > 0 && units > 0;

/** The rows to ask of one of several partitions that share `count` evenly, with room for what chance adds (2 deviations). */
export function shareOf(count: number, partitions: number): number {
  if (partitions === 1) return count;
  const even = count / partitions;
  return Math.ceil(even + 2 * Math.sqrt(even) + 1);
}
