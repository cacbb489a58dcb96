import { config } from '../../shared/aws/config.ts';
import { number, text } from '../../shared/store/items/attributes.ts';
import type { Attributes } from '../../shared/store/items/stored-value.ts';
import {
  type Budget,
  MAXIMUM_UNITS,
  PartitionReader,
  shareOf,
} from '../../shared/store/lists/reading/partition-reader.ts';
import { CHANGES_TABLE, EVENT, IMAGE, POSITIONS_OF_MS, PREVIOUS } from '../../shared/store/log-table.ts';
import { and, compare, readExpression } from '../../shared/store/write/expression.ts';
import type { Place } from './places.ts';

const DAY_MS = 86_400_000;

/**
 * A row of the log. `event`: the CloudEvent without data, as JSON text, and `image`: the attributes of the item; both
 * are empty after an erasure.
 */
export interface Row {
  readonly kind: 'row';
  readonly partition: string;
  readonly position: number;
  readonly event: string;
  readonly image: Attributes;
}

/** `gone`: the log has lost changes after the place of the reader, because they are older than the history. */
type Read = Row | { readonly kind: 'gone' };

/** The position at which a reader begins that wants all changes of so many days. */
export const beginning = (days: number, now: number): number => (now - days * DAY_MS) * POSITIONS_OF_MS;

/** The rows of a partition that one request still reads. */
interface Run {
  readonly place: Place;
  readonly reader: PartitionReader;
  /** True until the reader knows that the log has lost nothing after its place. */
  isDoubtful: boolean;
}

/** The read units of one Query at most, for 1 MB, and of one row, for 400 KB. Source: "Read and write operations". */
const [UNITS_OF_QUERY, UNITS_OF_ROW] = [256, 100] as const;

/** What one request reads of the log: so many rows, 10 MB, and at least one row of each partition. The rest is for ends. */
export const budgetOf = (partitions: number, rows: number): Budget => ({
  rows,
  units: Math.max(MAXIMUM_UNITS - UNITS_OF_ROW, UNITS_OF_ROW * partitions),
});

/** True if the budget has no room for a row of each partition: the next request reads on. */
export const isSpent = ({ rows, units }: Budget, partitions: number): boolean =>
  rows <= 0 || units < UNITS_OF_ROW * partitions;

/**
 * Reads the changes after some places, in the order in which the log got them. It ends after all changes, or at the end
 * of the budget. A caller may stop earlier. `count`: how many rows it expects to take.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function* follow(
  places: readonly Place[],
  { count, budget, now }: { readonly count: number; readonly budget: Budget; readonly now: number },
): AsyncGenerator<Read, undefined> {
  const behind = places.filter(({ after, last }) => last > after);
  const runs = behind.map((place) => runOf(place, { share: shareOf(count, behind.length), budget, now }));
  for (;;) {
    await fillAll(
      runs.map(({ reader }) => reader).filter(({ isEmpty }) => isEmpty),
      budget,
    );
    let first: { readonly run: Run; readonly row: Row } | undefined;
    for (const run of runs) {
      const head = run.reader.head();
      if (head === 'unknown') return undefined;
      if (run.isDoubtful && Number(head?.[PREVIOUS]?.N ?? Number.POSITIVE_INFINITY) > run.place.after) {
        yield { kind: 'gone' };
        return undefined;
      }
      run.isDoubtful = false;
      if (!head) continue;
      const row = rowOf(run.place.partition, head);
      if (!first || row.position < first.row.position) first = { run, row };
    }
    if (!first) return undefined;
    yield first.row;
    first.run.reader.take();
  }
}

/**
 * Reads the next rows of partitions, as many at the same time as the budget allows if rows are large. Each one keeps the
 * units for one row.
 */
async function fillAll(readers: readonly PartitionReader[], budget: Budget): Promise<void> {
  for (let at = 0; at < readers.length && !isSpent(budget, readers.length - at); ) {
    const spare = budget.units - UNITS_OF_ROW * (readers.length - at);
    const together = Math.floor(spare / UNITS_OF_QUERY);
    const some = readers.slice(at, at + Math.max(together, 1));
    await Promise.all(some.map((reader) => reader.fill(together > 0 ? undefined : 1)));
    at += some.length;
  }
}

/** Reads what has not expired. DynamoDB removes an expired row up to some days late. */
function runOf(
  place: Place,
  { share, budget, now }: { readonly share: number; readonly budget: Budget; readonly now: number },
): Run {
  const oldest = beginning(place.days + 1, now);
  const isDoubtful = place.after < oldest;
  const query = {
    TableName: config.tableName(CHANGES_TABLE.name),
    ...readExpression({
      key: and(
        compare(CHANGES_TABLE.key, '=', text(place.partition)),
        compare(CHANGES_TABLE.sort, '>', number(isDoubtful ? oldest : place.after)),
      ),
    }),
    ConsistentRead: true,
  };
  return { place, reader: new PartitionReader(query, share, budget, () => true), isDoubtful };
}

const rowOf = (partition: string, row: Attributes): Row => ({
  kind: 'row',
  partition,
  position: Number(row[CHANGES_TABLE.sort]?.N),
  event: row[EVENT]?.S ?? '',
  image: row[IMAGE]?.M ?? {},
});
