import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteRuleCommand, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Engines, listen, openEngines, signedHeaders } from 'embedded-aws';
import { CREDENTIALS, embeddedClients } from '../../../engines/test/clients.ts';
import { subscribe } from '../../../local/subscriber.ts';
import { testTime, withTimePassed } from '../../support/clock.ts';

const directory = mkdtempSync(join(tmpdir(), 'bus-'));
let engines: Engines;
let listener: Awaited<ReturnType<typeof listen>>;
let events: ReturnType<typeof embeddedClients>['events'];

beforeAll(async () => {
  engines = openEngines({ directory, credentials: CREDENTIALS, now: testTime });
  listener = await listen(engines, { host: '127.0.0.1', port: 0 });
  ({ events } = embeddedClients(engines));
});

afterAll(async () => {
  await listener.close();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});

const entry = (n: number, more: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  Source: 'test',
  DetailType: 'counted',
  Detail: JSON.stringify({ n }),
  EventBusName: 'any',
  ...more,
});
const put = (...Entries: PutEventsRequestEntry[]) => events.send(new PutEventsCommand({ Entries }));

/** The first events of a stream. */
async function first(count: number, from?: number) {
  const found: { id: number; n: number }[] = [];
  for await (const { id, data } of subscribe({ ...listener, credentials: CREDENTIALS }, from)) {
    if (found.push({ id, n: JSON.parse(data).n }) === count) break;
  }
  return found;
}

test('a stream has all events from now on, or after a given number', async () => {
  const coming = first(3);
  await new Promise((later) => setTimeout(later, 100));
  const { Entries, FailedEntryCount } = await put(entry(1), entry(2));
  expect(FailedEntryCount).toBe(0);
  expect(Entries).toEqual([{ EventId: expect.any(String) }, { EventId: expect.any(String) }]);
  await put(entry(3));
  const [one, two, three] = await coming;
  expect([one?.n, two?.n, three?.n]).toEqual([1, 2, 3]);
  expect(two?.id).toBeGreaterThan(one?.id as number);
  expect(await first(3, 0)).toEqual([one, two, three]);
  expect(await first(2, one?.id)).toEqual([two, three]);
});

test('an invalid entry fails alone', async () => {
  const answer = await put(
    entry(4),
    entry(5, { Detail: '[' }),
    entry(6, { DetailType: undefined }),
    entry(7),
  );
  expect(answer).toMatchObject({
    FailedEntryCount: 2,
    Entries: [
      { EventId: expect.any(String) },
      { ErrorCode: 'MalformedDetail' },
      { ErrorCode: 'InvalidArgument' },
      { EventId: expect.any(String) },
    ],
  });
  expect((await first(5, 0)).map(({ n }) => n)).toEqual([1, 2, 3, 4, 7]);
});

test('the bus refuses more than ten entries, more than 256 KB, and rules', async () => {
  const invalid = { name: 'ValidationException' };
  // Each entry is invalid, so the bus stores none.
  const entries = Array.from({ length: 11 }, (_, n) => entry(n, { Detail: '[' }));
  await expect(put(...entries)).rejects.toMatchObject(invalid);
  await expect(put(...entries.slice(1))).resolves.toMatchObject({ FailedEntryCount: 10 });
  const large = { Detail: JSON.stringify({ text: 'x'.repeat(256 * 1024) }) };
  await expect(put(entry(1, large))).rejects.toMatchObject(invalid);
  await expect(events.send(new DeleteRuleCommand({ Name: 'any' }))).rejects.toThrow(
    'DeleteRule is not implemented',
  );
});

test('a text of several lines arrives unchanged', async () => {
  await put(entry(8, { Detail: '{\n  "n": 8\r\n}' }));
  const [{ id } = { id: 0 }] = (await first(6, 0)).slice(-1);
  let read: unknown;
  for await (const { data } of subscribe({ ...listener, credentials: CREDENTIALS }, id - 1)) {
    read = JSON.parse(data);
    break;
  }
  expect(read).toEqual({ n: 8 });
});

describe('the stream refuses', () => {
  const url = () => `${listener.url}/_events`;
  const signed = (credentials = CREDENTIALS, at = Date.now()) => {
    const headers = { host: new URL(listener.url).host };
    return signedHeaders({ method: 'GET', path: '/_events', query: '', headers }, credentials, at);
  };

  test('requests without a signature', async () => {
    expect((await fetch(url())).status).toBe(403);
  });

  test('signatures of another key or another hour', async () => {
    expect((await fetch(url(), { headers: signed({ ...CREDENTIALS, secretAccessKey: 'x' }) })).status).toBe(
      403,
    );
    expect((await fetch(url(), { headers: signed(CREDENTIALS, Date.now() - 3_600_000) })).status).toBe(403);
  });

  test('web pages, whatever their origin and query', async () => {
    const headers = { ...signed(), origin: 'http://localhost:3000' };
    for (const query of ['', '?X-Amz-Signature=x'])
      expect((await fetch(`${url()}${query}`, { headers })).status).toBe(403);
  });
});

test('events expire after a day, and their numbers continue', async () => {
  const [last] = (await first(6, 0)).slice(-1);
  await withTimePassed(25 * 3600 * 1000, () => put(entry(9)));
  expect(await first(1, 0)).toEqual([{ id: (last?.id ?? 0) + 1, n: 9 }]);
});
