import { describe, expect, test } from '@jest/globals';
import type { Answer, Sent } from '../../support/client.ts';
import { ended, operationOf } from '../../support/operation.ts';
import { create, get, send, underTest } from '../../support/under-test.ts';

/** Conventions, "States and transitions": "Asynchronous lifecycle of a POST, PUT, PATCH or DELETE that takes long to complete". */
underTest();

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const later = (method: string, path: string, { json, headers }: Sent = {}): Promise<Answer> =>
  send(method, path, { json, headers: { Prefer: 'respond-async', ...headers } });

const member = () => create('/members', { name: 'x' });
const REQUESTS: Readonly<Record<string, () => Promise<Answer>>> = {
  POST: () => later('POST', '/members', { json: { name: 'x' } }),
  PUT: async () => later('PUT', (await member()).path, { json: { name: 'y' } }),
  PATCH: async () => later('PATCH', (await member()).path, { json: { age: 1 }, headers: MERGE }),
  DELETE: async () => later('DELETE', (await member()).path),
};

// "Request received | POST, PUT, PATCH or DELETE | processing accepted but not finished | response 202 |
// `Location` header holds the URI of the status endpoint"
// "any of POST, PUT, PATCH, DELETE | long-running work accepted | 202"
describe('"Request received | processing accepted but not finished"', () => {
  test.each(Object.keys(REQUESTS))('%s: "response 202"', async (method) => {
    const answer = await (REQUESTS[method] as () => Promise<Answer>)();
    expect(answer.status).toBe(202);
    await ended(answer);
  });

  test('"`Location` header holds the URI of the status endpoint"', async () => {
    for (const request of Object.values(REQUESTS)) {
      const answer = await request();
      const status = await ended(answer);
      expect(operationOf(status).operationId).toBe(operationOf(answer).operationId);
      expect(operationOf(status).status).toBe('Succeeded');
    }
  });
});

// "Request pending | GET on the status endpoint | operation still running | 200 with the current status |
// optional estimated completion time and cancel link in the body"
describe('"Request pending | operation still running"', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ name: `many ${at}` }));

  test('"200 with the current status", "optional estimated completion time and cancel link in the body"', async () => {
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

// "Request completed, new resource created | GET on the status endpoint | operation finished and created a resource |
// 303 | `Location` header holds the URI of the new resource"
describe('"Request completed, new resource created"', () => {
  test('"303", "`Location` header holds the URI of the new resource"', async () => {
    const status = await ended(await later('POST', '/members', { json: { name: 'new' } }));
    expect(status.status).toBe(303);
    const found = await get(status.headers.location as string);
    expect([found.status, found.json().name]).toEqual([200, 'new']);
  });

  test('what created nothing leads nowhere', async () => {
    const { path } = await member();
    const status = await ended(await later('PUT', path, { json: { name: 'y' } }));
    expect([status.status, status.headers.location]).toEqual([200, undefined]);
  });
});

// "`Location` header: carries the URI of a created resource (201), of the status endpoint (202), or of the new
// resource (303)."
test('"`Location` header: carries the URI of a created resource (201), of the status endpoint (202), or of the new resource (303)"', async () => {
  const { answer: created, path } = await member();
  const accepted = await later('POST', '/members', { json: { name: 'x' } });
  const completed = await ended(accepted);
  expect([created.status, accepted.status, completed.status]).toEqual([201, 202, 303]);
  expect((await get(path)).json().id).toBe(created.json().id);
  expect((await get(accepted.headers.location as string)).json()).toHaveProperty('status');
  expect((await get(completed.headers.location as string)).json()).toHaveProperty('id');
});

// "The status resource of an asynchronous request carries the current status of the request. It may optionally carry an
// estimated completion time and a link for cancelling the operation."
test('"The status resource of an asynchronous request carries the current status of the request"', async () => {
  for (const request of Object.values(REQUESTS)) {
    const accepted = await request();
    expect(operationOf(accepted).status).toBe('NotStarted');
    expect(operationOf(await ended(accepted)).status).toBe('Succeeded');
  }
});

// "Requests are stateless: each is independent, may arrive in any order, and no transient state is kept between requests."
test('"may arrive in any order": what was accepted is judged by the state it meets', async () => {
  const { path } = await member();
  const [removal, change] = await Promise.all([
    later('DELETE', path),
    later('PUT', path, { json: { name: 'y' } }),
  ]);
  const states = await Promise.all([removal, change].filter(({ status }) => status === 202).map(ended));
  expect(states.map((one) => operationOf(one).status)).toContain('Succeeded');
  expect((await get(path)).status).toBe(404);
});
