import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateTableCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { type Engines, openEngines } from 'embedded-aws';
import { CREDENTIALS, embeddedClients } from '../../engines/test/clients.ts';
import { embeddedChanges } from '../../local/triggers/changes.ts';
import { type Handler, StreamPump } from '../../local/triggers/stream-pump.ts';

let directory = '';
let engines: Engines;
let db: DynamoDBClient;
let pump: StreamPump | undefined;
/** The batches that the function received: `table n`. */
let handed: string[][] = [];

const open = () => {
  engines = openEngines({ directory, credentials: CREDENTIALS });
  db = embeddedClients(engines).dynamodb;
};

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'pump-'));
  handed = [];
  open();
  for (const TableName of ['one', 'two']) {
    await db.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
  }
});

afterEach(async () => {
  jest.restoreAllMocks();
  await pump?.stop();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});

const put = async (TableName: string, ...numbers: readonly number[]) => {
  for (const n of numbers)
    await db.send(new PutItemCommand({ TableName, Item: { pk: { S: 'a' }, n: { N: String(n) } } }));
};

/** Starts a pump whose function fails as `failure` decides: at the change with a name, or completely. */
function start(
  failure: (batch: readonly string[]) => string | Error | undefined = () => undefined,
  more: ConstructorParameters<typeof StreamPump>[2] = {},
): void {
  const handler: Handler = async ({ Records }) => {
    const names = Records.map(
      ({ eventSourceARN, dynamodb }) => `${eventSourceARN?.split('/')[1]} ${dynamodb?.NewImage?.n?.N}`,
    );
    handed.push(names);
    const failed = failure(names);
    if (failed instanceof Error) throw failed;
    const at = Records[names.indexOf(failed ?? '')]?.dynamodb?.SequenceNumber;
    return { batchItemFailures: at === undefined ? [] : [{ itemIdentifier: at }] };
  };
  pump = new StreamPump(embeddedChanges(engines), async () => handler, { pauseMs: 1, ...more });
}

const settled = async (done: () => boolean) => {
  for (let turn = 0; turn < 2000 && !done(); turn++) await new Promise((later) => setTimeout(later, 5));
  await new Promise((later) => setTimeout(later, 30));
};

test('the pump delivers old and new changes in order for each table', async () => {
  await put('one', 1, 2);
  start();
  await put('two', 1);
  await put('one', 3);
  await settled(() => handed.flat().length === 4);
  expect(handed.flat().filter((name) => name.startsWith('one'))).toEqual(['one 1', 'one 2', 'one 3']);
  expect(handed.flat().filter((name) => name.startsWith('two'))).toEqual(['two 1']);
});

test('the pump delivers many changes together', async () => {
  await put('one', ...Array.from({ length: 60 }, (_, n) => n));
  start();
  await settled(() => handed.flat().length === 60);
  expect(handed.map(({ length }) => length)).toEqual([25, 25, 10]);
});

test('the pump repeats from the change that failed, and other tables do not wait', async () => {
  await put('one', 1, 2, 3);
  let failures = 3;
  start((batch) => (batch.includes('one 2') && failures-- > 0 ? 'one 2' : undefined));
  await put('two', 1);
  await settled(() => handed.length >= 5);
  expect(handed.filter(([name]) => name?.startsWith('one'))).toEqual([
    ['one 1', 'one 2', 'one 3'],
    ['one 2', 'one 3'],
    ['one 2', 'one 3'],
    ['one 2', 'one 3'],
  ]);
  expect(handed).toContainEqual(['two 1']);
});

test('the pump repeats the whole batch if the function throws', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  await put('one', 1, 2);
  let failures = 2;
  start(() => (failures-- > 0 ? new Error('broken') : undefined));
  await settled(() => handed.length >= 3);
  expect(handed).toEqual([
    ['one 1', 'one 2'],
    ['one 1', 'one 2'],
    ['one 1', 'one 2'],
  ]);
});

test('the pump skips a change that always fails, and names it in the log', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  await put('one', 1, 2);
  start((batch) => (batch.includes('one 1') ? 'one 1' : undefined));
  await settled(() => handed.some(([name]) => name === 'one 2'));
  expect(handed.at(-1)).toEqual(['one 2']);
  expect(handed).toHaveLength(12);
  expect(logged.mock.calls).toEqual([[expect.stringContaining('Skipped a record after 10 retries')]]);
});

test('the pump keeps a change that it can neither process nor set aside, until it can', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  const aside: (string | undefined)[] = [];
  await put('one', 1, 2);
  start((batch) => (batch.includes('one 1') ? 'one 1' : undefined), {
    setAside: async (_stream, { dynamodb }) => {
      aside.push(dynamodb.NewImage?.n?.N);
      if (aside.length < 3) throw new Error('The queue does not respond');
    },
  });
  await settled(() => handed.some(([name]) => name === 'one 2'));
  expect(aside).toEqual(['1', '1', '1']);
  expect(handed.at(-1)).toEqual(['one 2']);
});

test('a second reader has its own position, and reads the tables that it names', async () => {
  await put('one', 1);
  start();
  await settled(() => handed.length === 1);
  await put('two', 1);
  const second = embeddedChanges(engines, { name: 'second', tables: ['one'] });
  expect(second.map(({ stream }) => stream.split('/')[1])).toEqual(['one']);
  const signal = new AbortController().signal;
  expect(await second[0]?.next(5, signal)).toHaveLength(1);
});

test('the pump continues after a restart and repeats unconfirmed changes only', async () => {
  await put('one', 1, 2, 3);
  start((batch) => (batch.includes('one 3') ? 'one 3' : undefined));
  await settled(() => handed.length > 1);
  await pump?.stop();
  await engines.close();
  open();
  handed = [];
  await put('one', 4);
  start();
  await settled(() => handed.length > 0);
  expect(handed).toEqual([['one 3', 'one 4']]);
});

test('the pump continues after a failure of the engine', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {});
  jest.spyOn(engines.dynamoDb.changes, 'after').mockImplementationOnce(() => {
    throw new Error('The disk is full');
  });
  await put('one', 1);
  await put('two', 1);
  start();
  await settled(() => handed.length === 2);
  expect(handed.flat().sort()).toEqual(['one 1', 'two 1']);
});

test('the pump moves its position after the function, so a crash loses nothing', async () => {
  const stream = engines.dynamoDb.tables.named('one').description.LatestStreamArn as string;
  const positions: number[] = [];
  const handler: Handler = async ({ Records }) => {
    positions.push(engines.positions.of(stream));
    await new Promise((later) => setTimeout(later, 20));
    positions.push(engines.positions.of(stream));
    handed.push(Records.map(({ eventID }) => eventID as string));
    return { batchItemFailures: [] };
  };
  pump = new StreamPump(embeddedChanges(engines), async () => handler, { pauseMs: 1 });
  await put('one', 1);
  await settled(() => handed.length === 1);
  expect(positions).toEqual([0, 0]);
  expect(engines.positions.of(stream)).toBeGreaterThan(0);
});

test('an idle pump reads nothing', async () => {
  start();
  await put('one', 1);
  await settled(() => handed.length === 1);
  const read = jest.spyOn(engines.dynamoDb.changes, 'after');
  await new Promise((later) => setTimeout(later, 200));
  expect(read).not.toHaveBeenCalled();
});
