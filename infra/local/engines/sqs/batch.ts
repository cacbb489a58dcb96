import { Fault } from '../fault.ts';

/** One entry of a batch request. */
export interface BatchEntry {
  Id: string;
}

/**
 * Runs each entry of a batch; one that fails does not stop the others.
 *
 * @throws EmptyBatchRequest, TooManyEntriesInBatchRequest, BatchEntryIdsNotDistinct
 */
export function eachEntry<Entry extends BatchEntry>(
  entries: readonly Entry[] = [],
  run: (entry: Entry) => object,
): { Successful: object[]; Failed: object[] } {
  if (entries.length === 0) {
    throw new Fault('EmptyBatchRequest', 'There should be at least one entry in the request.');
  }
  if (entries.length > 10) {
    throw new Fault('TooManyEntriesInBatchRequest', 'Maximum number of entries per request are 10.');
  }
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new Fault('BatchEntryIdsNotDistinct', 'Two or more batch entries in the request have the same Id.');
  }
  const Successful: object[] = [];
  const Failed: object[] = [];
  for (const entry of entries) {
    try {
      Successful.push({ Id: entry.Id, ...run(entry) });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      Failed.push({ Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message });
    }
  }
  return { Successful, Failed };
}
