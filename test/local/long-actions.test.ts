import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { ended } from '../support/client/operation.ts';
import { eventually } from '../support/eventually.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

const LOANS = 400;
let place: Awaited<ReturnType<typeof temporary>>;
let service: Run | undefined;

beforeEach(async () => {
  place = await temporary();
});
afterEach(async () => {
  await service?.stop('SIGKILL');
  service = undefined;
  await place.remove();
});

/** Starts the service. An invocation has 200 ms for its items. */
async function started(): Promise<Client> {
  const { directory } = place;
  const environment = {
    ...withFixture('timed'),
    RUNS: `${directory}/runs.jsonl`,
    RUN_SECONDS: '30.2',
    // A killed run does not block the next one for long.
    LEASE_SECONDS: '0.5',
    MAIL_FROM: 'library@example.org',
    MAIL_KEY: 'k',
  };
  service = await run({ directory: `${directory}/data`, args: ['--empty'], environment });
  if (service.url === undefined) throw new Error(service.output());
  return clientOf(service.url);
}

/** Makes loans, and a note that begins to spread to them. No schedule reminds their readers: they are due later. */
async function withLoans(send: Client) {
  const loans = Array.from({ length: LOANS }, (_, at) => ({ title: `${at}`, due: '2999-01-01', open: true }));
  await ended(await send('POST', '/loans', { json: loans, headers: { Prefer: 'respond-async' } }), send);
  const note = await send('POST', '/notes', { json: { about: 'a note' } });
  // The action changes its own note, whose first version the request names.
  const headers = { 'If-Match': note.headers.etag as string };
  const accepted = await send('POST', `${note.headers.location}/spread`, { headers });
  expect(accepted.status).toBe(202);
  return accepted;
}

const remindersIn = async (send: Client) =>
  (await send('GET', '/loans?limit=1000&fields=reminders'))
    .json()
    .items.map((one) => Number(one.reminders ?? 0));

/** Returns the operation when it has some progress. */
const begun = (send: Client, path: string) =>
  eventually(async () => {
    const operation = (await send('GET', path)).json();
    expect((operation.progress as { done: number }).done).toBeGreaterThan(0);
    return operation;
  });

// Specification 22.2, 22.4
test('a long action goes on in other invocations and after kills, and changes each item once', async () => {
  let send = await started();
  const accepted = await withLoans(send);
  for (let kills = 0; kills < 2; kills += 1) {
    const { status } = await begun(send, accepted.headers.location as string);
    expect(status).toBe('Running');
    await service?.stop('SIGKILL');
    send = await started();
  }
  const operation = (await ended(accepted, send)).json();
  expect(operation).toMatchObject({ status: 'Succeeded', progress: { done: LOANS, failed: 0 } });
  expect(await remindersIn(send)).toEqual(Array(LOANS).fill(1));
  const notes = (await send('GET', '/notes')).json().items.map(({ about }) => about);
  expect(notes.filter((one) => one === 'all have it')).toHaveLength(1);
}, 120_000);

// Specification 22.4
test('a cancellation ends a long action behind an item', async () => {
  const send = await started();
  const { headers } = await withLoans(send);
  const path = headers.location as string;
  await begun(send, path);
  expect((await send('DELETE', path)).status).toBe(202);
  const operation = await eventually(async () => {
    const found = (await send('GET', path)).json();
    expect(found.status).toBe('Canceled');
    return found;
  });
  const { done } = operation.progress as { done: number };
  expect(done).toBeLessThan(LOANS);
  const reminders = await remindersIn(send);
  expect(reminders.filter((one) => one === 1)).toHaveLength(done);
  expect(reminders.filter((one) => one === 0)).toHaveLength(LOANS - done);
}, 60_000);
