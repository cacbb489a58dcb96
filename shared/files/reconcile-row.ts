import type { FileListing } from './listing.ts';
import type { ObjectFacts, Objects } from './objects.ts';

/** How often a row is written anew for an object that changes meanwhile. */
const SETTLING = 10;

/** What a row says of its object, as far as it is compared. */
export type RowSummary = Pick<ObjectFacts, 'etag' | 'mediaType'> & { readonly digest?: string };

/** Whether a row says what the object says. */
export const rowMatches = (shown: RowSummary | undefined, facts: RowSummary | undefined): boolean =>
  facts?.etag.opaque === shown?.etag.opaque && facts?.mediaType === shown?.mediaType;

/**
 * Makes the row say what the object says. Other writers may have been at it between object and row: S3 tells whose
 * object stands, until it is the one (or none) that the row was last written for. Among steady writers the last one
 * ends it.
 *
 * @throws Unavailable when S3 or DynamoDB does not answer
 */
export async function reconcileRow(
  { objects, rows }: { objects: Objects; rows: FileListing },
  name: string,
  written: RowSummary | undefined,
  now: number,
): Promise<void> {
  let shown = written;
  for (let attempts = 0; attempts < SETTLING; attempts += 1) {
    const facts = await objects.head(name);
    if (rowMatches(shown, facts)) return;
    if (facts) await rows.put(name, facts, now);
    else await rows.remove(name);
    shown = facts;
  }
}
