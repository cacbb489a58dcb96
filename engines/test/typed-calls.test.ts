import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  CreateTableCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { testTime } from '../../test/support/clock.ts';
import { type Engines, openEngines } from '../engines.ts';
import { typedCalls } from '../typed-calls.ts';
import { CREDENTIALS, wiredClients } from './clients.ts';

/** The same clients with messages and without. Each side has engines of its own. */
const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'typed-')));
const engines: Engines[] = directories.map((directory) =>
  openEngines({ directory, credentials: CREDENTIALS, now: testTime }),
);
const [wired, typed] = engines.map(wiredClients) as [Side, Side];
const plugin = typedCalls(engines[1] as Engines, ['dynamodb', 'sqs', 'events']);
for (const client of [typed.dynamodb, typed.sqs, typed.events]) plugin.applyToStack(client.middlewareStack);
const sides = [wired, typed];

beforeAll(async () => {
  for (const { dynamodb, sqs } of sides) {
    await dynamodb.send(
      new CreateTableCommand({
        TableName: 'things',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['pk', 'sk'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      }),
    );
    await sqs.send(new CreateQueueCommand({ QueueName: 'queue' }));
  }
});
afterAll(async () => {
  for (const client of sides.flatMap((side) => Object.values(side))) client.destroy();
  for (const one of engines) await one.close();
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

/** What a caller sees of a call: the output, or the error with its class. Only the identifiers of requests differ. */
async function seen(call: Promise<object>): Promise<object> {
  try {
    const { $metadata, ...output } = (await call) as { $metadata: { httpStatusCode?: number } };
    return { status: $metadata.httpStatusCode, output };
  } catch (error) {
    const { name, message, $fault, $metadata, CancellationReasons, Item } = error as Error & {
      $fault?: string;
      $metadata?: { httpStatusCode?: number };
      CancellationReasons?: object;
      Item?: object;
    };
    const status = $metadata?.httpStatusCode;
    return {
      class: Object.getPrototypeOf(error).constructor.name,
      name,
      message,
      $fault,
      status,
      CancellationReasons,
      Item,
    };
  }
}

const number = fc
  .tuple(fc.integer({ min: -9999, max: 9999 }), fc.integer({ min: -20, max: 20 }))
  .map(([digits, exponent]) => `${digits}E${exponent}`);
const bytes = fc.uint8Array({ maxLength: 6 });
const value = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.record({ S: fc.string() }),
    fc.record({ N: number }),
    fc.record({ B: bytes }),
    fc.record({ BOOL: fc.boolean() }),
    fc.constant({ NULL: true }),
    fc.record({ SS: fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 3 }) }),
    fc.record({ NS: fc.uniqueArray(number, { minLength: 1, maxLength: 3 }) }),
    fc.record({ BS: fc.uniqueArray(bytes, { maxLength: 3, selector: String }) }),
    fc.record({ L: fc.array(tie('value'), { maxLength: 3 }) }),
    fc.record({ M: fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 3 }) }),
  ),
})).value as fc.Arbitrary<never>;
const key = fc.record({
  pk: fc.constantFrom({ S: 'a' }, { S: 'b' }, { S: '' }),
  sk: fc.constantFrom({ S: '1' }, { S: '2' }, { S: '3' }, { N: '1' }),
}) as fc.Arbitrary<Record<string, { S: string }>>;
const item = fc.tuple(key, value).map(([names, content]) => ({ ...names, content }));
const table = fc.constantFrom('things', 'things', 'things', 'missing');
const condition = fc.constantFrom(
  undefined,
  'attribute_exists(pk)',
  'attribute_not_exists(pk)',
  'not a condition',
);
const shown = {
  ReturnValuesOnConditionCheckFailure: fc.constantFrom('ALL_OLD' as const, undefined),
  ReturnConsumedCapacity: fc.constantFrom('TOTAL' as const, 'INDEXES' as const, undefined),
};
const put = fc.record({ TableName: table, Item: item, ConditionExpression: condition, ...shown });
const update = fc.tuple(key, value).map(([Key, content]) => ({
  TableName: 'things',
  Key,
  UpdateExpression: 'SET content = :content',
  ExpressionAttributeValues: { ':content': content },
}));
const removal = fc.record({ TableName: table, Key: key, ConditionExpression: condition });
const page = { TableName: table, Limit: fc.constantFrom(1, 2, undefined), ConsistentRead: fc.boolean() };

type Side = ReturnType<typeof wiredClients>;
type Call = (side: Side) => Promise<object>;

const calls = <Input>(input: fc.Arbitrary<Input>, send: (side: Side, input: Input) => Promise<object>) =>
  input.map(
    (one): Call =>
      (side) =>
        send(side, one),
  );

/** A call of each operation. */
const call = fc.oneof(
  calls(put, ({ dynamodb }, input) => dynamodb.send(new PutItemCommand(input))),
  calls(update, ({ dynamodb }, input) =>
    dynamodb.send(new UpdateItemCommand({ ...input, ReturnValues: 'ALL_NEW' })),
  ),
  calls(
    fc.record({
      TableName: table,
      Key: key,
      ConsistentRead: fc.boolean(),
      ReturnConsumedCapacity: shown.ReturnConsumedCapacity,
    }),
    ({ dynamodb }, input) => dynamodb.send(new GetItemCommand(input)),
  ),
  calls(removal, ({ dynamodb }, input) =>
    dynamodb.send(new DeleteItemCommand({ ...input, ReturnValues: 'ALL_OLD' })),
  ),
  calls(
    fc.record({
      ...page,
      KeyConditionExpression: fc.constantFrom('pk = :pk', 'pk = :pk AND sk > :pk', 'sk = :pk'),
    }),
    ({ dynamodb }, input) =>
      dynamodb.send(new QueryCommand({ ...input, ExpressionAttributeValues: { ':pk': { S: 'a' } } })),
  ),
  calls(fc.record(page), ({ dynamodb }, input) => dynamodb.send(new ScanCommand(input))),
  calls(fc.record({ name: table, Keys: fc.array(key, { maxLength: 3 }) }), ({ dynamodb }, { name, Keys }) =>
    dynamodb.send(new BatchGetItemCommand({ RequestItems: { [name]: { Keys } } })),
  ),
  calls(
    fc.array(
      fc.oneof(
        put.map(({ ReturnConsumedCapacity: _, ...Put }) => ({ Put })),
        update.map((Update) => ({ Update })),
        removal.map((Delete) => ({ Delete })),
      ),
      { maxLength: 3 },
    ),
    ({ dynamodb }, TransactItems) =>
      dynamodb.send(new TransactWriteItemsCommand({ TransactItems, ReturnConsumedCapacity: 'TOTAL' })),
  ),
);

describe('a call without a message', () => {
  test('has the output and the error of the same call with a message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 12 }), async (calls) => {
        for (const one of calls) expect(await seen(one(typed))).toEqual(await seen(one(wired)));
      }),
      { numRuns: 60 },
    );
  });

  test('has errors of the classes that the client exports', async () => {
    const Item = { pk: { S: 'class' }, sk: { S: '1' }, content: { B: Uint8Array.of(1, 2) } };
    await typed.dynamodb.send(new PutItemCommand({ TableName: 'things', Item }));
    const refused = typed.dynamodb.send(
      new PutItemCommand({
        TableName: 'things',
        Item,
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    const error = await refused.catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConditionalCheckFailedException);
    expect(error.Item).toEqual(Item);
  });

  test('shares no object with the engine', async () => {
    const Item = { pk: { S: 'shared' }, sk: { S: '1' }, content: { L: [{ S: 'before' }] } };
    const Key = { pk: Item.pk, sk: Item.sk };
    const read = async () =>
      (await typed.dynamodb.send(new GetItemCommand({ TableName: 'things', Key }))).Item?.content?.L;
    await typed.dynamodb.send(new PutItemCommand({ TableName: 'things', Item }));
    Item.content.L.push({ S: 'pushed into the input' });
    (await read())?.push({ S: 'pushed into the output' });
    expect(await read()).toEqual([{ S: 'before' }]);
  });

  test('reaches queues and the event bus with the same results', async () => {
    const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/queue';
    const sent = async ({ sqs }: Side) => {
      const { MD5OfMessageBody, MessageId } = await sqs.send(
        new SendMessageCommand({ QueueUrl, MessageBody: 'body', DelaySeconds: undefined }),
      );
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
      expect(Messages.map((message) => message.MessageId)).toEqual([MessageId]);
      const receipt = { QueueUrl, ReceiptHandle: Messages[0]?.ReceiptHandle };
      return [
        { MD5OfMessageBody },
        await seen(sqs.send(new ChangeMessageVisibilityCommand({ ...receipt, VisibilityTimeout: 1 }))),
        await seen(sqs.send(new DeleteMessageCommand(receipt))),
        await seen(sqs.send(new ChangeMessageVisibilityCommand({ ...receipt, VisibilityTimeout: 1 }))),
        await seen(
          sqs.send(new SendMessageCommand({ QueueUrl: `${QueueUrl}-missing`, MessageBody: 'body' })),
        ),
      ];
    };
    expect(await sent(typed)).toEqual(await sent(wired));
    const published = ({ events }: Side) => [
      seen(events.send(new PutEventsCommand({ Entries: [{ Source: 'test', Detail: 'no JSON' }] }))),
      seen(events.send(new PutEventsCommand({ Entries: [] }))),
    ];
    expect(await Promise.all(published(typed))).toEqual(await Promise.all(published(wired)));
  });

  test('ends with an AbortError if its signal aborts', async () => {
    const abort = new AbortController();
    const aborted = sides.map(({ dynamodb }) =>
      seen(dynamodb.send(new ScanCommand({ TableName: 'things' }), { abortSignal: abort.signal })),
    );
    abort.abort();
    for (const one of await Promise.all(aborted)) expect(one).toMatchObject({ name: 'AbortError' });
  });
});
