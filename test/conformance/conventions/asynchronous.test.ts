import { describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

/** Asynchronous lifecycle. Source: Specification C.39 to C.42. */
underTest();

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const later = (method: string, path: string, { json, headers }: SentRequest = {}): Promise<Answer> =>
  send(method, path, { json, headers: { Prefer: 'respond-async', ...headers } });

const member = () => create('/members', { name: 'x' });
const REQUESTS: Readonly<Record<string, () => Promise<Answer>>> = {
  POST: () => later('POST', '/members', { json: { name: 'x' } }),
  PUT: async () => later('PUT', (await member()).path, { json: { name: 'y' } }),
  PATCH: async () => later('PATCH', (await member()).path, { json: { age: 1 }, headers: MERGE }),
  DELETE: async () => later('DELETE', (await member()).path),
};

// Specification C.40, C.104, C.115
describe('a request that is accepted but not finished', () => {
  test.each(Object.keys(REQUESTS))('gets 202 for %s', async (method) => {
    const answer = await (REQUESTS[method] as () => Promise<Answer>)();
    expect(answer.status).toBe(202);
    await ended(answer);
  });

  test('gets a Location header with the URI of the status', async () => {
    for (const request of Object.values(REQUESTS)) {
      const answer = await request();
      const status = await ended(answer);
      expect(operationOf(status).operationId).toBe(operationOf(answer).operationId);
      expect(operationOf(status).status).toBe('Succeeded');
    }
  });
});

// Specification C.41, C.36
describe('the status of a running operation', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ name: `many ${at}` }));

  test('is a 200 with the current status, a cancel link and optionally an estimate', async () => {
    const accepted = await later('POST', '/customers', { json: many });
    const seen: Answer[] = [];
    for (;;) {
      const answer = await get(accepted.headers.location as string);
      seen.push(answer);
      if (answer.status !== 200 || ['Succeeded', 'Failed'].includes(String(operationOf(answer).status)))
        break;
    }
    const pending = seen.slice(0, -1);
    expect(pending.length).toBeGreaterThan(0);
    for (const { status, headers, json } of pending) {
      const { status: current, links, estimatedCompletionTime } = json();
      expect([status, headers['retry-after']]).toEqual([200, '1']);
      expect(['NotStarted', 'Running']).toContain(current);
      expect(links.filter(({ rel }) => rel === 'cancel')).toEqual([
        { rel: 'cancel', href: accepted.headers.location, method: 'DELETE' },
      ]);
      if (estimatedCompletionTime !== undefined)
        expect(Date.parse(estimatedCompletionTime as string)).toBeGreaterThan(Date.parse(json().createdAt));
    }
  });
});

// Specification C.42, 15.2
describe('the status of a completed operation', () => {
  test('is a 303 with the Location of the created resource', async () => {
    const status = await ended(await later('POST', '/members', { json: { name: 'new' } }));
    expect(status.status).toBe(303);
    const found = await get(status.headers.location as string);
    expect([found.status, found.json().name]).toEqual([200, 'new']);
  });

  test('is a 200 without Location if the operation created nothing', async () => {
    const { path } = await member();
    const status = await ended(await later('PUT', path, { json: { name: 'y' } }));
    expect([status.status, status.headers.location]).toEqual([200, undefined]);
  });
});

// Specification C.104, C.105
test('Location names the created resource (201), the status (202) or the new resource (303)', async () => {
  const { answer: created, path } = await member();
  const accepted = await later('POST', '/members', { json: { name: 'x' } });
  const completed = await ended(accepted);
  expect([created.status, accepted.status, completed.status]).toEqual([201, 202, 303]);
  expect((await get(path)).json().id).toBe(created.json().id);
  expect((await get(accepted.headers.location as string)).json()).toHaveProperty('status');
  expect((await get(completed.headers.location as string)).json()).toHaveProperty('id');
});

// Specification C.36
test('the status resource carries the current status of the request', async () => {
  for (const request of Object.values(REQUESTS)) {
    const accepted = await request();
    expect(operationOf(accepted).status).toBe('NotStarted');
    expect(operationOf(await ended(accepted)).status).toBe('Succeeded');
  }
});

// Specification C.10, 7.2
test('accepted requests may run in any order, each on the state that it finds', async () => {
  const { path } = await member();
  const [removal, change] = await Promise.all([
    later('DELETE', path),
    later('PUT', path, { json: { name: 'y' } }),
  ]);
  const states = await Promise.all(
    [removal, change].filter(({ status }) => status === 202).map((one) => ended(one)),
  );
  expect(states.map((one) => operationOf(one).status)).toContain('Succeeded');
  expect((await get(path)).status).toBe(404);
});
