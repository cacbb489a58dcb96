import { config } from '../../shared/aws/config.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { number, text } from '../../shared/store/form/attributes.ts';
import { CHANGES_TABLE, EVENT, IMAGE, POSITIONS_OF_MS, PREVIOUS } from '../../shared/store/form/log-table.ts';
import {
  type Budget,
  fillAll,
  PartitionReader,
  shareOf,
} from '../../shared/store/lists/reading/partition-reader.ts';
import { and, compare, readExpression } from '../../shared/store/write/expression.ts';
import type { LogPlace } from './places.ts';

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
  readonly place: LogPlace;
  readonly reader: PartitionReader;
  /** True until the reader knows that the log has lost nothing after its place. */
  isDoubtful: boolean;
}

/**
 * Reads the changes after some places, in the order in which the log got them. It ends after all changes, or at the end
 * of the budget. A caller may stop earlier. `count`: how many rows it expects to take. If the budget has no room for a
 * row of each partition, it reads those whose places are the oldest. `before` gets, by partition, the position of the
 * change before the first one that the caller has not taken.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function* follow(
  places: readonly LogPlace[],
  { count, budget, now }: { readonly count: number; readonly budget: Budget; readonly now: number },
  before?: Map<string, number>,
): AsyncGenerator<Read, undefined> {
  const behind = places
    .filter(({ after, last }) => last > after)
    .sort((one, other) => one.after - other.after);
  const runs = behind.map((place) => runOf(place, { share: shareOf(count, behind.length), budget, now }));
  for (;;) {
    await fillAll(runs.map(({ reader }) => reader));
    let first: { readonly run: Run; readonly row: Row } | undefined;
    for (const run of runs) {
      const head = run.reader.head();
      if (head === 'unknown' && !run.reader.frontier) continue;
      if (head === 'unknown') return undefined;
      if (run.isDoubtful && Number(head?.[PREVIOUS]?.N ?? Number.POSITIVE_INFINITY) > run.place.after) {
        yield { kind: 'gone' };
        return undefined;
      }
      run.isDoubtful = false;
      if (!head) continue;
      before?.set(run.place.partition, Number(head[PREVIOUS]?.N ?? run.place.after));
      const row = rowOf(run.place.partition, head);
      if (!first || row.position < first.row.position) first = { run, row };
    }
    if (!first) return undefined;
    yield first.row;
    first.run.reader.take();
  }
}

/** Reads what has not expired. DynamoDB removes an expired row up to some days late. */
function runOf(
  place: LogPlace,
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
