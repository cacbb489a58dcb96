import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import type { CloudEvent } from './cloud-event.ts';

/** What EventBridge takes at once. Source: Amazon EventBridge API Reference, "PutEvents". */
export const MAXIMUM_ENTRIES = 10;
export const MAXIMUM_BYTES = 256 * 1024;

/** What all events of the service have as their `Source` on the bus. */
const SOURCE = 'resource-api';
const TIME_BYTES = 14;

/** An event on its way to the bus. */
export interface Entry extends PutEventsRequestEntry {
  readonly Detail: string;
}

/**
 * The entry of an event: `Detail` is the whole event. Where that would be larger than an entry may be, the data is left
 * out, and `dataref` tells where it is.
 */
export function entryOf(event: CloudEvent, bus: string): Entry {
  const entry = (detail: CloudEvent): Entry => ({
    EventBusName: bus,
    Source: SOURCE,
    DetailType: event.type,
    Time: new Date(event.time),
    Detail: JSON.stringify(detail),
  });
  const whole = entry(event);
  if (entryBytes(whole) <= MAXIMUM_BYTES) return whole;
  const { data, datacontenttype, ...rest } = event;
  return entry({ ...rest, dataref: event.subject });
}

/** Source: Amazon EventBridge User Guide, "Calculating PutEvents event entry size". */
export const entryBytes = ({ Source = '', DetailType = '', Detail }: Entry): number =>
  [Source, DetailType, Detail].reduce((sum, text) => sum + Buffer.byteLength(text), TIME_BYTES);
