import { invalid } from '../fault.ts';
import { jsonOperation } from '../json-protocol.ts';
import type { Feed } from './feed.ts';

interface Entry {
  Time?: number;
  Source?: string;
  DetailType?: string;
  Detail?: string;
  Resources?: string[];
  EventBusName?: string;
}

/** Source: EventBridge API Reference "PutEvents"; EventBridge User Guide "Calculating PutEvents event entry size". */
const MAXIMUM_ENTRIES = 10;
const MAXIMUM_BYTES = 256 * 1024;
const TIME_BYTES = 14;

/**
 * Stores events. There are no rules: each reader gets all events. Any bus name is valid. An invalid entry fails
 * alone.
 */
export const putEvents = jsonOperation(
  'Entries',
  (feed: Feed, { Entries: entries = [] }: { Entries?: Entry[] }) => {
    if (entries.length < 1 || entries.length > MAXIMUM_ENTRIES)
      throw invalid(`Entries must have 1 to ${MAXIMUM_ENTRIES} members`);
    if (entries.reduce((sum, entry) => sum + entryBytes(entry), 0) > MAXIMUM_BYTES)
      throw invalid('Total size of the entries in the request is over the limit.');
    const faults = entries.map(faultOf);
    feed.append(entries.filter((_, at) => !faults[at]).map(({ Detail = '' }) => Detail));
    return {
      FailedEntryCount: faults.filter(Boolean).length,
      Entries: faults.map((fault) => fault ?? { EventId: crypto.randomUUID() }),
    };
  },
);

function entryBytes({ Time, Source = '', DetailType = '', Detail = '', Resources = [] }: Entry): number {
  const texts = [Source, DetailType, Detail, ...Resources];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), Time === undefined ? 0 : TIME_BYTES);
}

function faultOf({
  Source,
  DetailType,
  Detail,
}: Entry): { ErrorCode: string; ErrorMessage: string } | undefined {
  for (const [name, value] of Object.entries({ Source, DetailType, Detail })) {
    const ErrorMessage = `Parameter ${name} is not valid. Reason: ${name} is a required argument.`;
    if (!value) return { ErrorCode: 'InvalidArgument', ErrorMessage };
  }
  try {
    const detail: unknown = JSON.parse(Detail ?? '');
    if (typeof detail === 'object' && detail !== null && !Array.isArray(detail)) return undefined;
  } catch {
    // answered below
  }
  return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' };
}
