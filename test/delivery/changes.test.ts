import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { queueUrl } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { type Client, clientOf } from '../support/client/client.ts';
import { eventually } from '../support/eventually.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';
import { type Event, receiving } from './received.ts';

/** A change as `onChange` of parcels writes it into a file. */
interface Handled {
  readonly id: number;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
  readonly event: Event;
}

/** The retries take 43 s. */
const SET_ASIDE_MS = 120_000;

let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let send: Client;

const directory = () => join(place.directory, 'data');
const file = () => join(place.directory, 'handled.jsonl');

async function start(): Promise<void> {
  const environment = { ...withFixture('reacting'), REACTIONS: file() };
  service = await run({ directory: directory(), args: ['--empty'], environment });
  if (service.url === undefined) throw new Error(service.output());
  send = clientOf(service.url);
}

beforeAll(async () => {
  place = await temporary();
  await start();
}, 40_000);
afterAll(async () => {
  await service.stop();
  await place.remove();
});

const handled = (): readonly Handled[] =>
  existsSync(file())
    ? readFileSync(file(), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

/** The changes of an item, as soon as `onChange` got the one with this type of event. */
const until = (subject: string, type: string, limit?: number): Promise<readonly Handled[]> =>
  eventually(
    async () => {
      const own = handled().filter(({ event }) => event.subject === subject);
      expect(own.map(({ event }) => event.type)).toContain(type);
      return own;
    },
    50,
    limit,
  );

async function created(json: object): Promise<string> {
  const { status, headers } = await send('POST', '/parcels', { json });
  expect(status).toBe(201);
  return headers.location as string;
}

test('onChange gets each state as clients see it, with its version and the published event', async () => {
  const path = await created({ name: 'Books', stops: 2 });
  const { links, ...first } = (await send('GET', path)).json();
  expect((await send('PUT', path, { json: { name: 'Pens' } })).status).toBe(200);
  expect((await send('PUT', path, { json: { name: 'late' }, headers: { 'If-Match': '"99"' } })).status).toBe(
    412,
  );
  const { links: _, ...second } = (await send('GET', path)).json();
  expect((await send('DELETE', path)).status).toBe(204);
  const changes = await until(path, 'parcel.removed');
  const [old, present] = [
    { ...first, version: 1 },
    { ...second, version: 2 },
  ];
  expect(links).toBeDefined();
  expect(changes.map(({ id, before, after }) => ({ id, before, after }))).toEqual([
    { id: first.id, before: undefined, after: old },
    { id: first.id, before: old, after: present },
    { id: first.id, before: present, after: undefined },
  ]);
  const stream = receiving(directory());
  await stream.until(({ subject, type }) => subject === path && type === 'parcel.removed');
  await stream.stop();
  expect(changes.map(({ event }) => event)).toEqual(stream.events.filter(({ subject }) => subject === path));
});

test('onChange gets the changes of an item in order, also if it fails at first, and writes once', async () => {
  const path = await created({ name: 'flaky', stops: 0 });
  for (const stops of [1, 2])
    expect((await send('PUT', path, { json: { name: 'flaky', stops } })).status).toBe(200);
  await send('DELETE', path);
  const changes = await until(path, 'parcel.removed');
  expect(changes.map(({ after }) => after?.stops)).toEqual([0, 1, 2, undefined]);
  // Three calls failed before the writes of the code could have an effect.
  expect((await send('GET', '/parcels?name=notice')).json().items).toHaveLength(1);
});

/** Acknowledged versions: `/parcels/5 2`. */
const acknowledged: string[] = [];

/** Creates a parcel and changes it until the service is gone. */
async function write(): Promise<void> {
  const path = await created({ stops: 1 });
  for (let version = 1; ; version += 1) {
    acknowledged.push(`${path} ${version}`);
    expect((await send('PUT', path, { json: { stops: version + 1 } })).status).toBe(200);
  }
}

test('onChange gets every acknowledged change, in order per item, although kill -9 ends the service', async () => {
  for (const time of [300, 500]) {
    const writers = [write(), write()].map((one) =>
      one.catch((error: NodeJS.ErrnoException) => {
        if (!/ECONN|EPIPE|socket hang up|aborted/.test(`${error.code} ${error.message}`)) throw error;
      }),
    );
    await new Promise((later) => setTimeout(later, time));
    await service.stop('SIGKILL');
    await Promise.all(writers);
    await start();
  }
  await until(await created({ name: 'last' }), 'parcel.created');
  const versions = new Map<string, Set<unknown>>();
  for (const { event, after } of handled()) {
    if (!after) continue;
    versions.set(event.subject, (versions.get(event.subject) ?? new Set()).add(after.version));
  }
  expect(acknowledged.length).toBeGreaterThan(4);
  for (const name of acknowledged) {
    const [path = '', version = ''] = name.split(' ');
    expect(versions.get(path)).toContain(Number(version));
  }
  for (const own of atLeastOne(versions.values())) expect([...own]).toEqual([...own].map((_, at) => at + 1));
}, 90_000);

test('if onChange always fails for a change, the queue and the log name it, and the next changes follow', async () => {
  const broken = await created({ name: 'broken' });
  await until(await created({ name: 'next' }), 'parcel.created', SET_ASIDE_MS);
  const said = [
    ...service.output().matchAll(/^onChange of parcels failed for the change (\d+) .* queue (\S+) /gm),
  ];
  expect(said).toHaveLength(1);
  const [[, change, queue = ''] = []] = said;
  expect((await receive(queue)).DDBStreamBatchInfo).toEqual({
    batchSize: 1,
    startSequenceNumber: change,
    endSequenceNumber: change,
    streamArn: expect.stringContaining('parcels/stream/'),
  });
  await service.stop('SIGKILL');
  await start();
  await until(await created({ name: 'later' }), 'parcel.created');
  expect(handled().filter(({ event }) => event.subject === broken)).toEqual([]);
  expect(service.output()).not.toContain('broken');
}, 180_000);

/** A message of a queue. */
async function receive(queue: string): Promise<Readonly<Record<string, unknown>>> {
  const engines = runningEngines({ DATA_DIR: directory() });
  if (!engines) throw new Error('The engines do not run');
  const { url, credentials } = engines;
  const endpoint = process.env.AWS_ENDPOINT_URL_SQS ?? url;
  const sqs = new SQSClient({ endpoint, credentials, region: 'us-east-1' });
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ QueueUrl: queueUrl(queue, endpoint), WaitTimeSeconds: 20 }),
  );
  sqs.destroy();
  return JSON.parse(Messages[0]?.Body ?? '{}');
}
