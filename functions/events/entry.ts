import type { PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { NAME } from '#about';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';

/** The limits of one request to EventBridge. Source: Amazon EventBridge API Reference, "PutEvents". */
export const MAXIMUM_ENTRIES = 10;
export const MAXIMUM_BYTES = 256 * 1024;

const TIME_BYTES = 14;

/** An event as an entry for the bus. */
export interface Entry extends PutEventsRequestEntry {
  readonly Detail: string;
}

/**
 * Returns the entry of an event. `Detail` is the whole event. If it is larger than an entry may be, the entry has no
 * data, and `dataref` gives the path of the item.
 */
export function entryOf(event: CloudEvent, bus: string): Entry {
  const entry = (detail: CloudEvent): Entry => ({
    EventBusName: bus,
    Source: NAME,
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
