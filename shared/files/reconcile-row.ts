import { attempts } from '../concurrency/retry.ts';
import * as RETRIES from '../concurrency/retry-policies.ts';
import type { FileListing, RowSummary } from './listing.ts';
import type { Objects } from './objects.ts';

/** True if a row describes the object: both have the same entity tag and media type, or both are missing. */
export const rowMatches = (shown: RowSummary | undefined, facts: RowSummary | undefined): boolean =>
  facts?.etag.opaque === shown?.etag.opaque && facts?.mediaType === shown?.mediaType;

/** A writer that takes longer than this between object and row checks the object again, in ms. */
const QUICK = 1000;
/** After this time, in ms, the row of every quick writer exists. It exceeds QUICK by the difference of clocks. */
export const SETTLED = 2 * QUICK;
/** No request runs longer, in ms: it may have written a row that carries the time of its beginning. */
const REQUEST = 30_000;

/**
 * True if another writer may have changed the object between this writer's object and its row. If both wrote rows, the
 * later one finds a recent row. If another writer removed object and row, the repair after S3's notification of this
 * object finds the difference. It waits until quick writers have written their rows, so a slow one must check.
 *
 * @param begun the time before the write of the object, in ms since the epoch
 * @param ended the time after the write of the row
 * @param replacedFrom the time of the replaced row; undefined if there was none
 */
export const mayHaveOverlapped = (begun: number, ended: number, replacedFrom: number | undefined): boolean =>
  ended - begun > QUICK || (replacedFrom !== undefined && replacedFrom + REQUEST > begun);

/**
 * Makes the row match the object. Another request may write between this request's object and row. The service
 * therefore reads the object from S3 again, until the last written row matches it. If several requests write all the
 * time, the last one makes the row match.
 *
 * @param written the row that the caller wrote last; undefined if it wrote or found no row
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function reconcileRow(
  { objects, rows }: { objects: Objects; rows: FileListing },
  name: string,
  written: RowSummary | undefined,
  now: number,
): Promise<void> {
  let shown = written;
  for await (const _ of attempts(RETRIES.row)) {
    const facts = await objects.head(name);
    if (rowMatches(shown, facts)) return;
    if (facts) await rows.put(name, facts, now);
    else await rows.remove(name);
    shown = facts;
  }
}
