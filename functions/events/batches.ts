import {
  EventBridgeClient,
  type EventBridgeClientConfig,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge';
import { NAME } from '#about';
import { lazyClient, withoutLogger } from '../../shared/aws/clients/client.ts';
import { config } from '../../shared/aws/config.ts';
import { faultOf, log } from '../../shared/aws/log.ts';
import { attempts } from '../../shared/concurrency/retry.ts';
import * as RETRIES from '../../shared/concurrency/retry-policies.ts';
import type { CloudEvent } from '../../shared/events/cloud-event.ts';
import type { RecordedChange } from './read-changes.ts';

/** The limits of one request to EventBridge. Source: Amazon EventBridge API Reference, "PutEvents". */
export const MAXIMUM_ENTRIES = 10;
export const MAXIMUM_BYTES = 256 * 1024;

const TIME_BYTES = 14;

/** An event as an entry for the bus. */
interface Entry extends PutEventsRequestEntry {
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

/** Publishes changes to the bus. Returns the sequence number of the first one that failed; undefined: none did. */
export async function publishChanges(changes: readonly RecordedChange[]): Promise<string | undefined> {
  const pending = changes.map(({ change: { event }, sequenceNumber }) => ({
    entry: entryOf(event, config.eventBus()),
    subject: event.subject,
    sequenceNumber,
  }));
  return (await publish(pending))?.sequenceNumber;
}

/** The EventBridge client. The first call creates it, and so does the first call after `configureClients`. */
export const eventBridge = /* @__PURE__ */ lazyClient((settings) =>
  withoutLogger(new EventBridgeClient(settings as EventBridgeClientConfig)),
);

/** An entry, its subject, and the sequence number of its change. */
export interface Pending {
  readonly entry: Entry;
  readonly subject: string;
  readonly sequenceNumber: string;
}

/**
 * Publishes events to the bus in order. Returns the first one that failed, even if later ones succeeded; undefined
 * if all succeeded.
 *
 * Source: Amazon EventBridge User Guide, "Handling failures with PutEvents".
 */
export async function publish(pending: readonly Pending[]): Promise<Pending | undefined> {
  for (const batch of batches(pending)) {
    let left = batch;
    for await (const _ of attempts(RETRIES.event)) {
      try {
        left = await put(left);
      } catch (error) {
        log('error', faultOf(error));
        break;
      }
      if (left.length === 0) break;
    }
    if (left.length > 0) return left[0];
  }
  return undefined;
}

/** Sends one batch and returns the entries that failed. */
async function put(batch: readonly Pending[]): Promise<Pending[]> {
  const Entries = batch.map(({ entry }) => entry);
  const { Entries: results = [] } = await eventBridge().send(new PutEventsCommand({ Entries }));
  return batch.filter((_, at) => results[at]?.EventId === undefined);
}

/**
 * Splits a list into batches. A batch ends at EventBridge's limits and before the second event of a subject. The
 * service therefore retries a failed event before it sends the next one of the same subject.
 */
export function batches(pending: readonly Pending[]): Pending[][] {
  const all: Pending[][] = [];
  let batch: Pending[] = [];
  let subjects = new Set<string>();
  let bytes = 0;
  for (const one of pending) {
    const size = entryBytes(one.entry);
    const full = batch.length === MAXIMUM_ENTRIES || bytes + size > MAXIMUM_BYTES;
    if (batch.length === 0 || full || subjects.has(one.subject)) {
      batch = [];
      all.push(batch);
      subjects = new Set();
      bytes = 0;
    }
    batch.push(one);
    subjects.add(one.subject);
    bytes += size;
  }
  return all;
}
