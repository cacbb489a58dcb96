/** Measures the rate and the processor time of requests to `npm start`. */

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, clientOf } from '../../../test/support/client/client.ts';
import { type Asked, load } from './load.ts';
import { type MeasuredServer, npmStart } from './process.ts';

const MEMBER = { name: 'Ada Byron', age: 36 };

export type Kind = 'health' | 'item' | 'list' | 'page' | 'post';

/** The best rounds: the highest rate, and the lowest processor time of the server per request in µs. */
export interface Figure {
  readonly perSecond: number;
  readonly microseconds: number;
}

/** The figures of `npm start` with a number of members. */
export type Measured = Readonly<Partial<Record<Kind, Figure>>>;

/** Rounds of a second of each kind, after a warm-up. */
export interface Phase {
  readonly kinds: readonly Kind[];
  readonly rounds: number;
}

/** Seconds of requests of each kind before the first round. */
const WARM_S = 3;

/**
 * Measures `npm start` with a number of members. The rounds of the kinds alternate, so that a slow minute affects all.
 * Later phases begin after earlier ones: a POST changes the rows.
 */
export async function measured(rows: number, phases: readonly Phase[]): Promise<Measured> {
  const server = await npmStart('--empty');
  try {
    const client = clientOf(server.url);
    await fill(client, rows);
    const { location } = (await client('POST', '/members', { json: MEMBER })).headers;
    const asked: Readonly<Record<Kind, Asked>> = {
      health: { url: `${server.url}/health` },
      item: { url: `${server.url}${location}` },
      list: { url: `${server.url}/members?limit=25` },
      page: { url: `${server.url}/members?limit=25`, headers: { Accept: 'text/html' } },
      post: {
        url: `${server.url}/members`,
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(MEMBER),
      },
    };
    await settled(server);
    const figures: Partial<Record<Kind, Figure>> = {};
    for (const { kinds, rounds } of phases) {
      for (const kind of kinds) await load(asked[kind], { duration: WARM_S });
      for (let at = 0; at < rounds; at += 1)
        for (const kind of kinds) figures[kind] = best(figures[kind], await round(server, asked[kind]));
    }
    return figures;
  } finally {
    await server.stop();
  }
}

/** One round of a second. The processor time includes all threads of the server. */
async function round(server: MeasuredServer, asked: Asked): Promise<Figure> {
  const before = server.processorTime();
  const { answers, ms } = await load(asked, { duration: 1 });
  return {
    perSecond: (answers / ms) * 1000,
    microseconds: (server.processorTime() - before) / answers,
  };
}

const best = (one: Figure | undefined, other: Figure): Figure => ({
  perSecond: Math.max(one?.perSecond ?? 0, other.perSecond),
  microseconds: Math.min(one?.microseconds ?? Number.POSITIVE_INFINITY, other.microseconds),
});

/** The largest number of members in one request. */
const BATCH = 10_000;

async function fill(client: Client, rows: number): Promise<void> {
  for (let left = rows; left > 0; left -= BATCH) {
    const json = Array.from({ length: Math.min(left, BATCH) }, () => MEMBER);
    const { status, text, headers } = await client('POST', '/members', { json });
    assert.equal(status, 202, text);
    for (let state: unknown; state !== 'Succeeded'; ) {
      const operation = await client('GET', headers.location ?? '', { headers: { Prefer: 'wait=20' } });
      state = operation.json().status;
      assert.ok(!['Failed', 'Canceled'].includes(String(state)), operation.text);
    }
  }
}

/** Seconds in which the server can finish the work that its rows began. */
const SETTLING_S = 180;
/** Processor time of an idle server in a second, in µs, at most. */
const IDLE = 50_000;

/** Waits until the server has finished the work that its rows began, such as the publication of their events. */
async function settled(server: MeasuredServer): Promise<void> {
  for (let second = 0; second < SETTLING_S; second += 1) {
    const before = server.processorTime();
    await pause(1000);
    if (server.processorTime() - before < IDLE) return;
  }
}
