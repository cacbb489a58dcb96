import { expect, test } from '@jest/globals';
import { judging, meterClient } from '../../../shared/aws/meter.ts';
import { dryRun } from '../../../shared/store/write/dry-run.ts';

type Send = (call: { input: object }) => Promise<{ output: object }>;

/** A client whose engine notes the commands that reach it. */
function client(engine: string, reached: string[]) {
  let send: (commandName: string) => ReturnType<Send> = () => Promise.reject(new Error('No middleware'));
  const add = (middleware: (next: Send, context: { commandName: string }) => Send) => {
    send = (commandName) =>
      middleware(
        async () => {
          reached.push(commandName);
          return { output: {} };
        },
        { commandName },
      )({ input: {} });
  };
  meterClient({ middlewareStack: { add } }, engine);
  return { send: (commandName: string) => send(commandName) };
}

const WRITES: readonly (readonly [string, string])[] = [
  ...['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem'].map(
    (one) => ['dynamodb', one] as const,
  ),
  ...[
    'PutObject',
    'CopyObject',
    'DeleteObject',
    'DeleteObjects',
    'CreateMultipartUpload',
    'UploadPart',
    'UploadPartCopy',
    'CompleteMultipartUpload',
    'AbortMultipartUpload',
  ].map((one) => ['s3', one] as const),
  ...['SendMessage', 'SendMessageBatch', 'DeleteMessage'].map((one) => ['sqs', one] as const),
];

// Specification 7.19
test.each(WRITES)('a dry run makes no call of %s that writes: %s', async (engine, name) => {
  const reached: string[] = [];
  const { send } = client(engine, reached);
  await dryRun([]).changesBy(() => send(`${name}Command`));
  expect(reached).toEqual([]);
  await send(`${name}Command`);
  expect(reached).toEqual([`${name}Command`]);
});

// Specification 7.19
test('a write that follows a failed part of a dry run reaches no engine', async () => {
  const reached: string[] = [];
  const { send } = client('dynamodb', reached);
  const first = Promise.withResolvers<void>();
  let second: Promise<unknown> = Promise.resolve();
  const work = () => {
    second = first.promise.then(() => send('PutItemCommand'));
    return Promise.reject(new Error('failed'));
  };
  await expect(dryRun([]).changesBy(work)).rejects.toThrow('failed');
  first.resolve();
  await second;
  expect([reached, judging.getStore()]).toEqual([[], undefined]);
});
