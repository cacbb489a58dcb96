import { expect } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import type { Harness } from '../harness.ts';

/** A sequence of requests during network faults, and a check after the faults are over. */
export interface Prepared {
  act(): Promise<void>;
  verify(): Promise<void>;
}

/** Its subject and its preparation. `tag`: a unique name. */
export type Scenario = readonly [about: string, prepare: (stand: Harness, tag: string) => Promise<Prepared>];

export const LATER = { Prefer: 'respond-async' };
export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
/** More items than one transaction holds. */
export const MANY = 150;

/** Creates an item before the faults. Returns its path. */
export async function made(stand: Harness, collection: string, json: unknown): Promise<string> {
  const answer = await stand.client('POST', collection, { json });
  if (answer.status !== 201) throw new Error(`${answer.status} to POST ${collection}: ${answer.text}`);
  return answer.headers.location as string;
}

/** Creates many items. Returns their ids. */
export async function madeMany(
  stand: Harness,
  collection: string,
  all: readonly unknown[],
): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < all.length; at += 100) {
    const answer = await stand.client('POST', collection, { json: all.slice(at, at + 100) });
    if (answer.status !== 201) throw new Error(`${answer.status} to POST ${collection}: ${answer.text}`);
    ids.push(...(answer.json().items as readonly Body[]).map(({ id, orderId }) => id ?? orderId));
  }
  return ids;
}

/** The newest items of a collection whose name has this prefix. */
export async function named(stand: Harness, collection: string, name: string): Promise<Body[]> {
  const { items } = (await stand.client('GET', `/${collection}?sort=-createdAt&limit=${3 * MANY}`)).json();
  return items.filter((one) => String(one.name).startsWith(name));
}

/** The number of changes of an item since its creation, or undefined if it is gone. */
export async function changes(stand: Harness, path: string): Promise<number | undefined> {
  const { status, headers } = await stand.client('GET', path);
  return status === 404 ? undefined : Number(/^"(\d+)\./.exec(headers.etag ?? '')?.[1]) - 1;
}

/** Checks that a successful request had its effect once, and a request with 503 at most once. */
export function expectOnce(isDone: boolean, times: number | undefined): void {
  if (isDone) expect(times).toBe(1);
  else expect([0, 1]).toContain(times);
}

/** The finished operation. */
export async function ended(
  stand: Harness,
  path: string,
): Promise<Body & { status: string; progress: { done: number; failed: number } }> {
  const { status, text } = await stand.client('GET', path);
  expect([200, 303]).toContain(status);
  const operation = JSON.parse(text);
  expect(['Succeeded', 'Failed', 'Canceled']).toContain(operation.status);
  return operation;
}

/** Sends a deferred request before the faults. Returns the path of its operation. */
export async function accepted(
  stand: Harness,
  method: string,
  path: string,
  sent: { json?: unknown; body?: string } = {},
): Promise<string> {
  const answer = await stand.client(method, path, { ...sent, headers: LATER });
  if (answer.status !== 202) throw new Error(`${answer.status} to ${method} ${path}: ${answer.text}`);
  return answer.headers.location as string;
}
