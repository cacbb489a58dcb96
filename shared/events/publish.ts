import { setTimeout as pause } from 'node:timers/promises';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { eventBridge } from '../aws/event-bridge.ts';
import { faultOf, log } from '../aws/log.ts';
import { type Entry, entryBytes, MAXIMUM_BYTES, MAXIMUM_ENTRIES } from './entry.ts';

/** An entry, what it is about, and the number of the change it comes from. */
export interface Pending {
  readonly entry: Entry;
  readonly subject: string;
  readonly sequenceNumber: string;
}

/** Attempts for entries that fail alone, with pauses that double. */
const ATTEMPTS = 4;
const PAUSE_MS = 50;

/**
 * Puts events on the bus in their order. Answers the first one that is not there, though others behind it may be:
 * undefined when all are.
 *
 * Source: Amazon EventBridge User Guide, "Handling failures with PutEvents".
 */
export async function publish(pending: readonly Pending[]): Promise<Pending | undefined> {
  for (const batch of batches(pending)) {
    let left = batch;
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (attempt === ATTEMPTS) return left[0];
      if (attempt > 0) await pause(PAUSE_MS * 2 ** attempt);
      try {
        left = await put(left);
      } catch (error) {
        log('error', faultOf(error));
        return left[0];
      }
    }
  }
  return undefined;
}

/** Answers those that failed. */
async function put(batch: readonly Pending[]): Promise<Pending[]> {
  const Entries = batch.map(({ entry }) => entry);
  const { Entries: results = [] } = await eventBridge().send(new PutEventsCommand({ Entries }));
  return batch.filter((_, at) => results[at]?.EventId === undefined);
}

/**
 * Cuts a list where it is more than EventBridge takes at once, and where it comes to a subject for the second time: an
 * event that fails is tried again before the next one of its subject goes out.
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
