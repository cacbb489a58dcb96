import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { serviceWithEvents } from './received.ts';

/** Source: Specification 10.14; W3C Trace Context §3.2. */
const IDS = '4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7';
const TRACE = `00-${IDS}-01`;

let started: Awaited<ReturnType<typeof serviceWithEvents>>;
let send: Client;

beforeAll(async () => {
  // With the name of a service, functions write the lines of a deployment.
  started = await serviceWithEvents(['--empty'], { SERVICE: 'shop' });
  send = clientOf(started.service.url as string);
}, 40_000);

afterAll(() => started.stop());

const eventAbout = (path: string, type: string) =>
  started.stream.until((one) => one.subject === path && one.type === type);

/** The path of a new member, which a request with this `traceparent` creates. */
async function created(traceparent: string): Promise<string> {
  const answer = await send('POST', '/members', { json: { name: 'Ada' }, headers: { traceparent } });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
}

const lines = () =>
  started.service
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

// Specification 10.14
test('the trace of a request is in its log line, in the event of its change, and in the list of changes', async () => {
  const path = await created(TRACE);
  const event = await eventAbout(path, 'member.created');
  expect(event).toMatchObject({ traceparent: TRACE });
  const id = Number(path.split('/').at(-1));
  expect(lines().filter((one) => one.id === id)).toMatchObject([{ traceparent: TRACE }]);
  const changes = await send('GET', '/changes?resource=members', { headers: { Prefer: 'wait=5' } });
  expect(changes.json().items).toContainEqual(expect.objectContaining({ subject: path, traceparent: TRACE }));
});

// Specification 10.14
test('a change without a trace does not have that of an earlier one', async () => {
  const path = await created(TRACE);
  expect((await send('PUT', path, { json: { name: 'Grace' } })).status).toBe(200);
  expect(await eventAbout(path, 'member.changed')).not.toHaveProperty('traceparent');
});

// Specification 10.14
test('the event of a file has the trace of its PUT', async () => {
  await send('PUT', '/files/traced.txt', { body: 'x', headers: { traceparent: TRACE } });
  expect(await eventAbout('/files/traced.txt', 'file.created')).toMatchObject({ traceparent: TRACE });
});

// Specification 10.14
test('an operation has the trace of the request that began it', async () => {
  const headers = { Prefer: 'respond-async', traceparent: TRACE };
  const accepted = await send('POST', '/members', { json: { name: 'Later' }, headers });
  expect(accepted.status).toBe(202);
  const operation = accepted.headers.location as string;
  const ended = await send('GET', operation, { headers: { Prefer: 'wait=20' } });
  expect(ended.status).toBe(303);
  expect(await eventAbout(ended.headers.location as string, 'member.created')).toMatchObject({
    traceparent: TRACE,
  });
}, 40_000);

// Specification 10.14; W3C Trace Context §3.2.2, §4.3
test('a later version counts by the parts of version 00', async () => {
  const path = await created(`cc-${IDS}-01-what-the-future-will-be-like`);
  expect(await eventAbout(path, 'member.created')).toMatchObject({ traceparent: TRACE });
});

// Specification 10.14
test.each([
  'x',
  `ff-${IDS}-01`,
  `00-${IDS}-01-more`,
  `00-${IDS}`,
  `00-${IDS.toUpperCase()}-01`,
  `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
  `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`,
])('the service ignores a traceparent that is not valid: %s', async (traceparent) => {
  const path = await created(traceparent);
  expect(await eventAbout(path, 'member.created')).not.toHaveProperty('traceparent');
});
