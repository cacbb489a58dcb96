import { beforeEach, expect, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { unique } from '../../../engines/test/clients.ts';
import { handler } from '../../../functions/worker/handler.ts';
import { sha256 } from '../../../shared/files/file-actions.ts';
import { FileListing } from '../../../shared/files/listing.ts';
import { Objects } from '../../../shared/files/objects.ts';
import { withTimePassed } from '../../support/clock.ts';
import { attached, resourceOf } from '../attached.ts';

/** The messages that the worker has sent to its queue. */
let sent: string[] = [];
attached((call, pass) => {
  const { headers, body } = call[0];
  if (headers['x-amz-target'] === 'AmazonSQS.SendMessage') sent.push(JSON.parse(String(body)).MessageBody);
  return pass(...call);
});
beforeEach(() => {
  sent = [];
});

const QUARTER_HOUR = 15 * 60_000;
const objects = new Objects('files/');
const rows = new FileListing(resourceOf('files'));

/** Stores an object without a row, as a crash or a lost notification leaves it. Returns its time in ms. */
async function stored(name: string, text = name): Promise<number> {
  const bytes = Buffer.from(text);
  await objects.put(name, { bytes, mediaType: 'text/plain', sha256: sha256(bytes) }, undefined);
  return (await objects.head(name))?.lastModified ?? 0;
}
const factsOf = async (name: string) =>
  (await objects.head(name)) as NonNullable<Awaited<ReturnType<typeof objects.head>>>;
const shown = async (name: string) => (await rows.shown(name))?.etag.opaque;

/** Delivers a message to the worker, which has some ms for it, and those that it sends to itself. Returns their number. */
async function delivered(body: string, ms = 300_000): Promise<number> {
  await deliveredOnce(body, ms);
  let runs = 1;
  for (let next = sent.shift(); next; next = sent.shift(), runs += 1) await deliveredOnce(next, ms);
  return runs;
}
const deliveredOnce = (body: string, ms: number) =>
  handler(
    {
      Records: [
        {
          messageId: '1',
          receiptHandle: 'r',
          attributes: { ApproximateReceiveCount: '1' },
          body,
        } as SQSRecord,
      ],
    },
    { getRemainingTimeInMillis: () => ms } as Context,
  );
/** The message of the daily schedule. */
const DAILY = JSON.stringify({ compare: { of: 'files' } });
const later = (work: () => Promise<unknown>) => withTimePassed(2 * QUARTER_HOUR, work);

// Specification 5.4
test('a day later, the list has a file whose notification was lost, with the time of its object', async () => {
  const name = unique('lost');
  const time = await stored(name);
  await later(() => delivered(DAILY));
  expect(await rows.shown(name)).toMatchObject({ createdAt: time, version: 1 });
  expect(await shown(name)).toBe((await factsOf(name)).etag.opaque);
});

test('a row without an object is gone, a row of an earlier object is replaced, and others stay', async () => {
  const [removed, replaced, right] = [unique('removed'), unique('replaced'), unique('right')] as const;
  for (const name of [removed, replaced, right]) {
    await stored(name);
    await rows.put(name, await factsOf(name), 1);
  }
  await objects.remove(removed);
  await stored(replaced, 'another text');
  await later(() => delivered(DAILY));
  expect(await shown(removed)).toBeUndefined();
  expect(await rows.shown(replaced)).toMatchObject({ version: 2 });
  expect(await shown(replaced)).toBe((await factsOf(replaced)).etag.opaque);
  expect(await rows.shown(right)).toMatchObject({ version: 1, createdAt: 1 });
});

test('the writer of a new object writes its row itself', async () => {
  const name = unique('new');
  await stored(name);
  await delivered(DAILY);
  expect(await shown(name)).toBeUndefined();
});

test('a run without time leaves the rest to another message, until all files are compared', async () => {
  const names = Array.from({ length: 5 }, () => unique('many'));
  for (const name of names) await stored(name);
  const gone = unique('z-without-object');
  await rows.put(gone, await factsOf(names[0] as string), 1);
  let runs = 0;
  await later(async () => {
    runs = await delivered(DAILY, 0);
  });
  expect(runs).toBeGreaterThan(10);
  for (const name of names) expect(await shown(name)).toBeDefined();
  expect(await shown(gone)).toBeUndefined();
});

// docs/operations.md, "dead-events"
test('a message of an operator removes old bytes that no item names', async () => {
  const binaries = new Objects('binaries/');
  const key = `members/${Date.now()}/${unique('bytes')}`;
  const bytes = Buffer.from('png');
  await binaries.put(key, { bytes, mediaType: 'image/png', sha256: sha256(bytes) }, undefined);
  const message = JSON.stringify({ compare: { of: 'bytes' } });
  await delivered(message);
  expect(await binaries.head(key)).toBeDefined();
  await later(() => delivered(message));
  expect(await binaries.head(key)).toBeUndefined();
  // The table of a resource without a definition stays, and so do its bytes.
  const other = `parcels/${Date.now()}/${unique('bytes')}`;
  await binaries.put(other, { bytes, mediaType: 'image/png', sha256: sha256(bytes) }, undefined);
  await later(() => delivered(message));
  expect(await binaries.head(other)).toBeDefined();
});
