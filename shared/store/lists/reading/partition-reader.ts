import { QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../aws/clients/dynamodb.ts';
import { orUnavailable } from '../../../aws/faults.ts';
import { MAXIMUM_UNITS, readWithin, UNITS_OF_ITEM, UNITS_OF_QUERY } from '../../../aws/read-budget.ts';
import type { Attributes } from '../../form/attribute-value.ts';

/** How much of a list a request reads: rows, and the read units that it keeps for what follows. */
export interface Budget {
  rows: number;
  readonly keep: number;
}

/** Rows that one request may skip by `offset` or drop by a filter. Source: Specification 4.4, 4.16. */
export const MAXIMUM_ROWS = 10_000;
/** The read units that a list keeps for related items. */
export const KEPT_UNITS = MAXIMUM_UNITS / 5;

/**
 * Reads one partition of an index in order, with one Query at a time.
 *
 * Source: Amazon DynamoDB API Reference, Query.
 */
export class PartitionReader {
  /** The read units of one row at most. */
  readonly rowUnits: number;
  readonly #query: QueryCommandInput;
  readonly #budget: Budget;
  readonly #keeps: (row: Attributes) => boolean;
  /** The rows that the next Query evaluates. */
  #limit: number;
  #rows: Attributes[] = [];
  #next = 0;
  #resume: Attributes | undefined;
  #hasRead = false;
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
    this.rowUnits = query.ConsistentRead ? UNITS_OF_ITEM : UNITS_OF_ITEM / 2;
  }

  /** True if it must read to know its next row. */
  get isEmpty(): boolean {
    return this.#next >= this.#rows.length && !this.#finished;
  }

  /** Reads until it finds a row, the end, or the end of the budget. `keep`: the read units that other readers need. */
  async fill(keep: number): Promise<void> {
    while (this.isEmpty && this.#budget.rows > 0 && (await this.#fetch(keep)));
  }

  /** The next row, which stays. undefined at the end; 'unknown' if the budget ended before the reader found a row. */
  head(): Attributes | undefined | 'unknown' {
    if (this.#next < this.#rows.length) return this.#rows[this.#next];
    return this.#finished ? undefined : 'unknown';
  }

  take(): void {
    this.#next += 1;
  }

  /** DynamoDB's key of the last row that the reader evaluated; undefined before the first one. */
  get frontier(): Attributes | undefined {
    return this.#hasRead ? this.#resume : undefined;
  }

  /** Reads once. Returns false if the request has too few read units left. */
  async #fetch(keep: number): Promise<boolean> {
    const rows = Math.max(1, Math.min(this.#limit, this.#budget.rows));
    const { rowUnits } = this;
    const most = Math.min(rows, UNITS_OF_QUERY / UNITS_OF_ITEM) * rowUnits;
    const answer = await readWithin({ least: rowUnits, most, keep: keep + this.#budget.keep }, (granted) =>
      orUnavailable(
        dynamoDb().send(
          new QueryCommand({
            ...this.#query,
            ExclusiveStartKey: this.#resume,
            Limit: granted < most ? Math.floor(granted / rowUnits) : rows,
          }),
        ),
      ),
    );
    if (!answer) return false;
    this.#hasRead = true;
    const items = answer.Items ?? [];
    this.#rows = items.filter(this.#keeps);
    this.#next = 0;
    const evaluated = answer.ScannedCount ?? items.length;
    // If a filter drops most rows, a longer read finds the next one with fewer requests.
    if (this.#rows.length * 2 < evaluated) this.#limit *= 2;
    this.#budget.rows -= evaluated;
    this.#resume = answer.LastEvaluatedKey;
    this.#finished = answer.LastEvaluatedKey === undefined;
    return true;
  }
}

/**
 * Reads the next row of each reader that has none. Each one keeps the read units for a row of those after it. Returns
 * undefined if nothing must be read.
 */
export function fillAll(readers: readonly PartitionReader[]): Promise<unknown> | undefined {
  let empty: PartitionReader[] | undefined;
  for (const reader of readers) if (reader.isEmpty) empty = [...(empty ?? []), reader];
  return (
    empty && Promise.all(empty.map((reader, at) => reader.fill((empty.length - at - 1) * reader.rowUnits)))
  );
}

/**
 * Returns the rows to request from one of several partitions that share `count` rows evenly. Chance distributes the
 * rows, so the share includes two standard deviations.
 */
export function shareOf(count: number, partitions: number): number {
  if (partitions === 1) return count;
  const even = count / partitions;
  return Math.ceil(even + 2 * Math.sqrt(even) + 1);
}
