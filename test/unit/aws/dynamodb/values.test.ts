import * as official from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import * as own from '../../../../shared/aws/dynamodb/client.ts';
import { bothClients } from './both.ts';

type Value = official.AttributeValue;

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('', '\0', '"\\', '😀'));
const digits = fc.oneof(
  fc.bigInt().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom('0', '-0.10', '99999999999999999999999999999999999999', '1E-130', '9.9E+125'),
);
// Node's own Buffers are Uint8Arrays too.
const bytes = fc
  .tuple(fc.uint8Array({ maxLength: 40 }), fc.boolean())
  .map(([some, isBuffer]) => (isBuffer ? Buffer.from(some) : some));
/** Names that are also names of types or of properties of objects. The SDK's client loses the value of `__proto__`. */
const name = fc
  .oneof(text, fc.constantFrom('B', 'BS', 'S', 'M', 'L', 'Item', 'constructor', 'toJSON'))
  .filter((one) => one !== '__proto__');

const { value } = fc.letrec<{ value: Value; map: Record<string, Value> }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text.map((S) => ({ S })),
    digits.map((N) => ({ N })),
    bytes.map((B) => ({ B })),
    fc.boolean().map((BOOL) => ({ BOOL })),
    fc.constant({ NULL: true as const }),
    fc.array(text, { minLength: 1, maxLength: 4 }).map((SS) => ({ SS })),
    fc.array(digits, { minLength: 1, maxLength: 4 }).map((NS) => ({ NS })),
    fc.array(bytes, { minLength: 1, maxLength: 4 }).map((BS) => ({ BS })),
    fc.array(tie('value'), { maxLength: 4 }).map((L) => ({ L })),
    tie('map').map((M) => ({ M })),
  ),
  map: fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const item = fc.dictionary(name, value, { maxKeys: 6, noNullPrototype: true });

/** Bytes of one class, so that a comparison sees the content alone. */
const plain = (one: unknown): unknown =>
  one instanceof Uint8Array
    ? { bytes: Buffer.from(one).toString('hex') }
    : Array.isArray(one)
      ? one.map(plain)
      : typeof one === 'object' && one !== null
        ? Object.entries(one).map(([key, inner]) => [key, plain(inner)])
        : one;

/** The JSON of a request. Members have no order. */
const sorted = (json: string): string =>
  JSON.stringify(JSON.parse(json), (_key, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))
      : one,
  );

/** Calls an operation with both clients, and returns their requests and outputs. */
async function calledBy(
  command: { ours: Parameters<own.DynamoDBClient['send']>[0]; theirs: official.GetItemCommand },
  body: string,
) {
  const { ours, theirs } = bothClients(() => ({ body }));
  const outputs = [await ours.client.send(command.ours), await theirs.client.send(command.theirs)];
  const contents = outputs.map(({ $metadata: _, ...output }: { $metadata?: unknown }) => plain(output));
  return { requests: [ours, theirs].map(({ sent }) => sorted(sent[0]?.body ?? '')), contents };
}

// The types of the commands do not matter here: both clients get the same input.
const commandOf = (operation: string, input: object) => ({
  ours: new (own as unknown as Record<string, new (given: object) => never>)[`${operation}Command`]!(input),
  theirs: new (official as unknown as Record<string, new (given: object) => never>)[`${operation}Command`]!(
    input,
  ),
});

/** The operations, with the places of attribute values in inputs and outputs. */
const OPERATIONS: Readonly<Record<string, (one: object, other: object) => [input: object, output: object]>> =
  {
    GetItem: (one, other) => [{ TableName: 't', Key: one, ConsistentRead: true }, { Item: other }],
    PutItem: (one, other) => [
      { TableName: 't', Item: one, ExpressionAttributeValues: other, ReturnConsumedCapacity: 'TOTAL' },
      { Attributes: other, ConsumedCapacity: { TableName: 't', CapacityUnits: 1.5 } },
    ],
    UpdateItem: (one, other) => [
      { TableName: 't', Key: one, UpdateExpression: 'SET #a = :a', ExpressionAttributeValues: other },
      { Attributes: one },
    ],
    DeleteItem: (one, other) => [{ TableName: 't', Key: one }, { Attributes: other }],
    Query: (one, other) => [
      { TableName: 't', IndexName: 'i', Limit: 7, ScanIndexForward: false, ExclusiveStartKey: one },
      { Items: [one, other], Count: 2, ScannedCount: 3, LastEvaluatedKey: other },
    ],
    Scan: (one, other) => [
      { TableName: 't', Limit: 7, ConsistentRead: true, ExclusiveStartKey: one },
      { Items: [one, other], Count: 2, ScannedCount: 2, LastEvaluatedKey: other },
    ],
    BatchGetItem: (one, other) => [
      { RequestItems: { t: { Keys: [one, other], ConsistentRead: true } } },
      { Responses: { t: [other], B: [one] }, UnprocessedKeys: { t: { Keys: [one] } } },
    ],
    TransactWriteItems: (one, other) => [
      {
        ClientRequestToken: 'token',
        TransactItems: [
          { Put: { TableName: 't', Item: one } },
          { Update: { TableName: 't', Key: one, UpdateExpression: 'x', ExpressionAttributeValues: other } },
          { ConditionCheck: { TableName: 't', Key: other, ConditionExpression: 'y' } },
          { Delete: { TableName: 't', Key: other } },
        ],
      },
      { ConsumedCapacity: [{ TableName: 't', CapacityUnits: 4 }] },
    ],
  };

/** The JSON that DynamoDB sends. */
const wire = (output: object): string =>
  JSON.stringify(output, (_key, one: unknown) => {
    const { B, BS } = (typeof one === 'object' && one !== null ? one : {}) as { B?: unknown; BS?: unknown };
    const base64 = (some: unknown) => Buffer.from(some as Uint8Array).toString('base64');
    if (B instanceof Uint8Array) return { B: base64(B) };
    return Array.isArray(BS) ? { BS: BS.map(base64) } : one;
  });

describe('attribute values', () => {
  test.each(Object.entries(OPERATIONS))(
    'of %s are the same in requests and outputs as with the client of the SDK',
    async (operation, made) => {
      await fc.assert(
        fc.asyncProperty(item, item, async (one, other) => {
          const [input, output] = made(one, other);
          const { requests, contents } = await calledBy(commandOf(operation, input), wire(output));
          expect(requests[0]).toBe(requests[1]);
          expect(contents[0]).toEqual(contents[1]);
        }),
        { numRuns: 150 },
      );
    },
  );
});

test('an attribute with the name __proto__ is an attribute like any other', async () => {
  const json = '{"__proto__":{"B":"AQI="}}';
  const { ours } = bothClients(() => ({ body: `{"Item":${json}}` }));
  const { Item = {} } = await ours.client.send(new own.GetItemCommand({ TableName: 't', Key: {} }));
  expect(Object.entries(Item)).toEqual([['__proto__', { B: Uint8Array.of(1, 2) }]]);
  await ours.client.send(new own.PutItemCommand({ TableName: 't', Item }));
  expect(ours.sent[1]?.body).toBe(`{"TableName":"t","Item":${json}}`);
});

test('bytes arrive as Uint8Array', async () => {
  const { ours } = bothClients(() => ({ body: '{"Item":{"a":{"B":"AQI="},"b":{"BS":["AA==",""]}}}' }));
  const { Item } = await ours.client.send(new own.GetItemCommand({ TableName: 't', Key: {} }));
  expect(Item).toEqual({ a: { B: Uint8Array.of(1, 2) }, b: { BS: [Uint8Array.of(0), new Uint8Array()] } });
});

test('each transaction has its own token, which its attempts share', async () => {
  const busy = { statusCode: 500, body: '{"__type":"InternalServerError"}' };
  const answers = [busy, busy];
  const { ours } = bothClients(() => answers.pop() ?? { body: '{}' }, {
    maxAttempts: 3,
    pause: async () => undefined,
  });
  for (let times = 0; times < 2; times += 1)
    await ours.client.send(new own.TransactWriteItemsCommand({ TransactItems: [] }));
  const tokens = ours.sent.map(
    ({ body }) => (JSON.parse(body) as { ClientRequestToken: string }).ClientRequestToken,
  );
  expect(tokens).toHaveLength(4);
  expect(new Set(tokens).size).toBe(2);
  expect(new Set(tokens.slice(0, 3)).size).toBe(1);
});
