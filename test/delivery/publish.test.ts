import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DynamoDBRecord } from 'aws-lambda';
import { publishChanges } from '../../functions/events/batches.ts';
import { readChanges } from '../../functions/events/read-changes.ts';
import { names } from '../../local/provision/names.ts';
import { variables } from '../../local/provision/provision.ts';
import { registry } from '../../service/registry.ts';
import { configureClients } from '../../shared/aws/clients/client.ts';
import { configureLog } from '../../shared/aws/log.ts';
import { failedFrom } from '../../shared/events/records.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { toAttributes } from '../../shared/store/form/attributes.ts';
import { collectLog } from '../engines/collected-log.ts';

/** The entries of each call, by name, and the entries that the bus refuses, call by call. */
let calls: string[][] = [];
let refusals: ((name: string) => boolean)[] = [];
let broken = false;

const requestHandler = {
  metadata: { handlerProtocol: 'h1' },
  async handle({ body }: { body: Uint8Array }) {
    const { Entries } = JSON.parse(new TextDecoder().decode(body)) as {
      Entries: { Detail: string }[];
    };
    const put = Entries.map(({ Detail }) => (JSON.parse(Detail) as { data: { name: string } }).data.name);
    const refuses = refusals[calls.length] ?? (() => false);
    calls.push(put);
    const answer = {
      FailedEntryCount: put.filter(refuses).length,
      Entries: put.map((name) => (refuses(name) ? { ErrorCode: 'ThrottlingException' } : { EventId: name })),
    };
    const text = broken ? '{"__type":"AccessDeniedException"}' : JSON.stringify(answer);
    return { response: { statusCode: broken ? 400 : 200, headers: {}, body: Buffer.from(text) } };
  },
  updateHttpClientConfig() {},
  httpHandlerConfigs: () => ({}),
  destroy() {},
};

beforeEach(() => {
  calls = [];
  refusals = [];
  broken = false;
  collectLog();
  Object.assign(process.env, variables(registry));
  configureClients({
    requestHandler,
    credentials: { accessKeyId: 'a', secretAccessKey: 'x' },
    region: 'us-east-1',
  } as unknown as Parameters<typeof configureClients>[0]);
});
afterEach(() => {
  configureLog();
});

const members = registry.find(({ name }) => name === 'members') as Resource;

/** The record of a new member, or of a change to this version. */
function record(name: string, id: number, version = 1): DynamoDBRecord {
  const image = (at: number) =>
    toAttributes(members, { id, version: at, createdAt: 0, updatedAt: 0, values: { name }, internal: {} }, 4);
  return {
    eventID: name,
    eventSourceARN: `arn:aws:dynamodb:us-east-1:000000000000:table/${names.table('members')}/stream/x`,
    dynamodb: {
      SequenceNumber: `seq ${name}`,
      NewImage: image(version),
      ...(version > 1 && { OldImage: image(version - 1) }),
    },
  } as DynamoDBRecord;
}

async function handed(...records: DynamoDBRecord[]) {
  const { changes, refused } = await readChanges(registry, records);
  return failedFrom((await publishChanges(changes)) ?? refused);
}
const done = { batchItemFailures: [] };
const failedAt = (name: string) => ({ batchItemFailures: [{ itemIdentifier: `seq ${name}` }] });

test('the function puts all events in one call, and nothing for records without an event', async () => {
  expect(await handed(record('a', 1), record('b', 2))).toEqual(done);
  expect(calls).toEqual([['a', 'b']]);
  const { dynamodb, ...rest } = record('c', 3, 2);
  const same = { ...rest, dynamodb: { ...dynamodb, OldImage: dynamodb?.NewImage } } as DynamoDBRecord;
  expect(await handed(same)).toEqual(done);
  expect(calls).toHaveLength(1);
});

test('the function repeats entries that fail alone before other events of their subject', async () => {
  refusals = [(name) => name === 'a1'];
  expect(await handed(record('a1', 1), record('b1', 2), record('a2', 1, 2))).toEqual(done);
  expect(calls).toEqual([['a1', 'b1'], ['a1'], ['a2']]);
});

test('an entry that fails repeatedly ends the batch at its record', async () => {
  refusals = Array(9).fill((name: string) => name === 'b1');
  expect(await handed(record('a1', 1), record('b1', 2), record('a2', 1, 2))).toEqual(failedAt('b1'));
  expect(calls).toEqual([['a1', 'b1'], ['b1'], ['b1'], ['b1']]);
});

test('a call that fails ends the batch at its first record', async () => {
  broken = true;
  expect(await handed(record('a1', 1), record('b1', 2))).toEqual(failedAt('a1'));
});

test('an unreadable change ends the batch at its record, after the earlier ones', async () => {
  const { dynamodb, ...rest } = record('b', 2);
  const damaged = {
    ...rest,
    dynamodb: { ...dynamodb, NewImage: { name: { S: 'no id' } } },
  } as DynamoDBRecord;
  expect(await handed(record('a', 1), damaged, record('c', 3))).toEqual(failedAt('b'));
  expect(calls).toEqual([['a']]);
});

test('the function refuses an unknown table', async () => {
  const stranger = { ...record('a', 1), eventSourceARN: 'arn:aws:dynamodb:x:0:table/other/stream/x' };
  expect(await handed(stranger)).toEqual(failedAt('a'));
});
