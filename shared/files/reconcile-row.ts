import { attempts } from '../concurrency/retry.ts';
import * as RETRIES from '../concurrency/retry-policies.ts';
import type { FileListing } from './listing.ts';
import type { ObjectFacts, Objects } from './objects.ts';

/** The facts of an object that a row repeats. */
export type RowSummary = Pick<ObjectFacts, 'etag' | 'mediaType'> & { readonly digest?: string };

/** Whether a row describes the object: both have the same entity tag and media type, or both are missing. */
export const rowMatches = (shown: RowSummary | undefined, facts: RowSummary | undefined): boolean =>
  facts?.etag.opaque === shown?.etag.opaque && facts?.mediaType === shown?.mediaType;

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
