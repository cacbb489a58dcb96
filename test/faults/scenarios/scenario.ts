import { expect } from '@jest/globals';
import type { Body } from '../../support/client.ts';
import type { Harness } from '../harness.ts';

/** Something that is done while the network fails, and what must be true of it afterwards, when everything works again. */
export interface Prepared {
  act(): Promise<void>;
  verify(): Promise<void>;
}

/** What it is about, and how it is prepared; `tag`: a name that nothing else has. */
export type Scenario = readonly [about: string, prepare: (stand: Harness, tag: string) => Promise<Prepared>];

export const LATER = { Prefer: 'respond-async' };
export const MERGE = { 'Content-Type': 'application/merge-patch+json' };
/** More than one transaction has room for. */
export const MANY = 150;

/** Creates something before the network fails. Answers its path. */
export async function made(stand: Harness, collection: string, json: unknown): Promise<string> {
  const answer = await stand.client('POST', collection, { json });
  if (answer.status !== 201) throw new Error(`${answer.status} to POST ${collection}: ${answer.text}`);
  return answer.headers.location as string;
}

/** Creates many of them. Answers their numbers. */
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

/** The newest items of a collection whose name begins like this. */
export async function named(stand: Harness, collection: string, name: string): Promise<Body[]> {
  const { items } = (await stand.client('GET', `/${collection}?sort=-createdAt&limit=${3 * MANY}`)).json();
  return items.filter((one) => String(one.name).startsWith(name));
}

/** How often an item was changed since it was created; undefined when it is gone. */
export async function changes(stand: Harness, path: string): Promise<number | undefined> {
  const { status, headers } = await stand.client('GET', path);
  return status === 404 ? undefined : Number(/^"(\d+)\./.exec(headers.etag ?? '')?.[1]) - 1;
}

/** What was answered as a success is there once; what was told to come again is there at most once. */
export function expectOnce(isDone: boolean, times: number | undefined): void {
  if (isDone) expect(times).toBe(1);
  else expect([0, 1]).toContain(times);
}

/** The operation, which has ended. */
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

/** Accepts a request before the network fails. Answers the path of its operation. */
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
