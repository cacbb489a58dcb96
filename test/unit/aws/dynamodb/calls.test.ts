import { crc32 } from 'node:zlib';
import { GetItemCommand as OfficialGetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, test } from '@jest/globals';
import { DynamoDBClient, GetItemCommand } from '../../../../shared/aws/dynamodb/client.ts';
import { Retries } from '../../../../shared/aws/dynamodb/retries.ts';
import { bothClients, type Stubbed, stubbed } from './both.ts';

const GET = new GetItemCommand({ TableName: 't', Key: {} });
const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret' };
const refusal = (type: string, statusCode = 400, more: object = {}, headers = {}): Stubbed => ({
  statusCode,
  headers,
  body: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Because', ...more }),
});
const failure = (members: object): Error => Object.assign(new Error('down'), members);

/** A client whose calls get these responses in turn. It does not wait between attempts. */
function clientFor(answers: readonly (Stubbed | Error)[], more: object = {}) {
  const pauses: number[] = [];
  const left = [...answers];
  const { sent, requestHandler } = stubbed(() => left.shift() ?? { body: '{}' });
  const pause = async (ms: number) => void pauses.push(ms);
  const settings = { region: 'us-east-1', credentials: KEYS, pause, ...more };
  return { client: new DynamoDBClient({ ...settings, requestHandler }), sent, pauses };
}

describe('another attempt', () => {
  test.each([
    ['throttling', refusal('ProvisionedThroughputExceededException')],
    ['throttling of the API', refusal('ThrottlingException')],
    ['the limit of requests', refusal('RequestLimitExceeded')],
    ['a transaction that is still running', refusal('TransactionInProgressException')],
    ['an internal error', refusal('InternalServerError', 500)],
    ['an unavailable service', { statusCode: 503, body: '<html>' }],
    ['a reset connection', failure({ code: 'ECONNRESET' })],
    ['a refused connection', failure({ code: 'ECONNREFUSED' })],
    ['an unknown host', failure({ code: 'EAI_AGAIN' })],
    ['a time-out', failure({ name: 'TimeoutError' })],
    ['a damaged response', { body: '{}', headers: { 'x-amz-crc32': '1' } }],
    ['an incomplete response', { body: '{"Item":{' }],
    [
      'a signature that arrived too late',
      refusal('InvalidSignatureException', 400, { message: 'Signature expired: 1' }),
    ],
  ] as const)('follows %s', async (_about, answer) => {
    const { client, sent } = clientFor([answer, answer, { body: '{"Item":{"a":{"S":"b"}}}' }]);
    const { Item, $metadata } = await client.send(GET);
    expect(Item).toEqual({ a: { S: 'b' } });
    expect($metadata.attempts).toBe(3);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers['amz-sdk-invocation-id'])).size).toBe(1);
  });

  test.each([
    ['a failed condition', refusal('ConditionalCheckFailedException')],
    ['a conflict of transactions', refusal('TransactionConflictException')],
    ['a canceled transaction', refusal('TransactionCanceledException')],
    ['an invalid request', refusal('ValidationException')],
    ['missing permissions', refusal('AccessDeniedException')],
    ['an unknown key', refusal('UnrecognizedClientException')],
    ['an aborted call', failure({ name: 'AbortError', code: 'ECONNRESET' })],
    ['an error of the program', failure({ name: 'TypeError' })],
  ] as const)('does not follow %s', async (_about, answer) => {
    const { client, sent } = clientFor([answer]);
    await expect(client.send(GET)).rejects.toMatchObject({ $metadata: { attempts: 1 } });
    expect(sent).toHaveLength(1);
  });

  test('does not follow the third one', async () => {
    const busy = refusal('ThrottlingException');
    const { client, sent } = clientFor([busy, busy, busy]);
    await expect(client.send(GET)).rejects.toMatchObject({
      name: 'ThrottlingException',
      $metadata: { attempts: 3 },
    });
    expect(sent).toHaveLength(3);
  });

  test('follows a random pause, whose maximum doubles', () => {
    const longest = (error: Error, attempt: number) => {
      const pauses = Array.from({ length: 2000 }, () => new Retries(9).pauseAfter(error, attempt) as number);
      expect(Math.min(...pauses)).toBeLessThan(Math.max(...pauses) / 4);
      return Math.max(...pauses);
    };
    const reset = failure({ code: 'ECONNRESET' });
    const busy = failure({ name: 'ThrottlingException' });
    for (const [error, base] of [
      [reset, 25],
      [busy, 1000],
    ] as const) {
      for (const attempt of [1, 2, 3]) {
        const maximum = base * 2 ** (attempt - 1);
        expect(longest(error, attempt)).toBeLessThan(maximum);
        expect(longest(error, attempt)).toBeGreaterThan(maximum * 0.8);
      }
    }
  });

  test('ends with the call if the caller aborts it during the pause', async () => {
    const abort = new AbortController();
    const { client, sent } = clientFor([refusal('ThrottlingException')], { pause: undefined });
    const call = client.send(GET, { abortSignal: abort.signal });
    setImmediate(() => abort.abort());
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toHaveLength(1);
  });

  /** The attempts that a budget allows one after another, until none is left. At most 1000. */
  const allowed = (retries: Retries, error: Error): number =>
    Array.from({ length: 1000 }, () => retries.pauseAfter(error, 1)).filter((ms) => ms !== undefined).length;

  test.each([
    ['a broken connection', { code: 'ECONNRESET' }, 35, 14],
    ['throttling', { name: 'ThrottlingException' }, 100, 5],
  ])('becomes rare during %s, until calls succeed again', (_about, members, attempts, price) => {
    const retries = new Retries(3);
    const error = failure(members);
    expect(allowed(retries, error)).toBe(attempts);
    for (let times = 0; times < 3 * price; times += 1) retries.succeeded(1);
    expect(allowed(retries, error)).toBe(3);
  });

  test('is not more frequent after many successes than at the start', () => {
    const reset = failure({ code: 'ECONNRESET' });
    const retries = new Retries(3);
    for (let times = 0; times < 1000; times += 1) retries.succeeded(times % 2 ? 1 : 2);
    expect(allowed(retries, reset)).toBe(allowed(new Retries(3), reset));
  });
});

describe('the clock of DynamoDB', () => {
  const theirTime = Date.now() + 3_600_000;
  const late = refusal('InvalidSignatureException', 400, {}, { date: new Date(theirTime).toUTCString() });

  test('replaces the one of the machine after DynamoDB has refused it', async () => {
    const { client, sent } = clientFor([late, { body: '{}' }, { body: '{}' }]);
    expect((await client.send(GET)).$metadata.attempts).toBe(2);
    expect((await client.send(GET)).$metadata.attempts).toBe(1);
    const hours = sent.map(({ headers }) => headers['x-amz-date']?.slice(0, 11));
    const theirs = new Date(theirTime).toISOString().replace(/[-:]/g, '').slice(0, 11);
    expect(hours.slice(1)).toEqual([theirs, theirs]);
    expect(hours[0]).not.toBe(theirs);
  });

  test('is not the reason for a refusal if it agrees', async () => {
    const same = refusal('InvalidSignatureException', 400, {}, { date: new Date().toUTCString() });
    const { client, sent } = clientFor([same]);
    await expect(client.send(GET)).rejects.toMatchObject({ name: 'InvalidSignatureException' });
    expect(sent).toHaveLength(1);
  });

  test('corrects all calls that run at the same time', async () => {
    const { client } = clientFor([late, late, late]);
    const calls = await Promise.all([1, 2, 3].map(() => client.send(GET)));
    expect(calls.map(({ $metadata }) => $metadata.attempts)).toEqual([2, 2, 2]);
  });
});

describe('credentials', () => {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
  const before = names.map((name) => process.env[name]);
  afterEach(() => {
    for (const [at, name] of names.entries()) {
      if (before[at] === undefined) delete process.env[name];
      else process.env[name] = before[at];
    }
  });
  const set = (key: string, token?: string): void => {
    Object.assign(process.env, { AWS_ACCESS_KEY_ID: key, AWS_SECRET_ACCESS_KEY: 'secret' });
    if (token === undefined) delete process.env.AWS_SESSION_TOKEN;
    else process.env.AWS_SESSION_TOKEN = token;
  };

  test('of the environment are read for each attempt, with and without a session token', async () => {
    const pause = async () => set('SECOND', 'new token');
    const { client, sent } = clientFor([refusal('ThrottlingException')], { credentials: undefined, pause });
    set('FIRST');
    await client.send(GET);
    set('THIRD');
    await client.send(GET);
    const seen = sent.map(({ headers }) => [
      /Credential=(\w+)/.exec(headers.authorization ?? '')?.[1],
      headers['x-amz-security-token'],
    ]);
    expect(seen).toEqual([
      ['FIRST', undefined],
      ['SECOND', 'new token'],
      ['THIRD', undefined],
    ]);
  });

  test('can come from a function, which can be replaced', async () => {
    const { client, sent } = clientFor([], { credentials: async () => ({ ...KEYS, accessKeyId: 'ONE' }) });
    await client.send(GET);
    client.config.credentials = async () => ({ ...KEYS, accessKeyId: 'TWO' });
    await client.send(GET);
    expect(sent.map(({ headers }) => /Credential=(\w+)/.exec(headers.authorization ?? '')?.[1])).toEqual([
      'ONE',
      'TWO',
    ]);
  });

  test('that are missing end the call with an error that names the variables', async () => {
    for (const name of names) delete process.env[name];
    const { client, sent } = clientFor([], { credentials: undefined });
    await expect(client.send(GET)).rejects.toThrow(/set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/);
    expect(sent).toEqual([]);
  });

  test('do not appear in errors', async () => {
    const { client } = clientFor([refusal('ValidationException')]);
    const error: unknown = await client.send(GET).catch((one: unknown) => one);
    const shown =
      JSON.stringify(error) + (error as Error).stack + JSON.stringify(Object.entries(error as Error));
    expect(shown).not.toMatch(/secret|AKIDEXAMPLE|Signature=/);
  });
});

describe('an error', () => {
  const Item = { id: { N: '1' }, key: { B: 'AQI=' } };
  const cases: readonly (readonly [about: string, stub: Stubbed])[] = [
    [
      'of a failed condition',
      refusal('ConditionalCheckFailedException', 400, { Item }, { 'x-amzn-requestid': 'R1' }),
    ],
    [
      'of a canceled transaction',
      refusal('TransactionCanceledException', 400, {
        message: undefined,
        Message: 'Canceled',
        CancellationReasons: [
          { Code: 'None' },
          { Code: 'ConditionalCheckFailed', Item, Message: 'The condition' },
        ],
      }),
    ],
    ['of a conflict', refusal('TransactionConflictException')],
    ['of throttling', refusal('ProvisionedThroughputExceededException')],
    ['of the service', refusal('InternalServerError', 500)],
    [
      'with an address in its type',
      { statusCode: 400, body: '{"__type":"ResourceNotFoundException:http://x/"}' },
    ],
    [
      'with its type in a header field',
      {
        statusCode: 400,
        headers: { 'x-amzn-errortype': 'ResourceNotFoundException' },
        body: '{"message":"No"}',
      },
    ],
    [
      'that the model does not know',
      { statusCode: 400, body: '{"__type":"com.amazon.coral#Odd","message":"No"}' },
    ],
  ];

  test.each(cases)('%s has the properties that it has with the client of the SDK', async (_about, stub) => {
    const { ours, theirs } = bothClients(() => stub);
    const [own, official] = await Promise.all([
      ours.client.send(GET).catch((error: unknown) => error),
      theirs.client
        .send(new OfficialGetItemCommand({ TableName: 't', Key: {} }))
        .catch((error: unknown) => error),
    ]);
    const facts = (error: unknown) => {
      const {
        name,
        message,
        $fault,
        $metadata,
        Item: item,
        CancellationReasons,
      } = error as Error & {
        $fault: string;
        $metadata: { httpStatusCode: number; requestId?: string; attempts: number };
        Item?: object;
        CancellationReasons?: object[];
      };
      const { httpStatusCode, requestId, attempts } = $metadata;
      const isError = error instanceof Error;
      return {
        isError,
        name,
        message,
        $fault,
        httpStatusCode,
        requestId,
        attempts,
        item,
        CancellationReasons,
      };
    };
    const expected = facts(official);
    if (expected.message === 'UnknownError') expected.message = 'DynamoDB answered with the status 400';
    expect(facts(own)).toEqual(expected);
  });

  test('without JSON has the status', async () => {
    const { client } = clientFor([{ statusCode: 403, body: '<html>' }]);
    await expect(client.send(GET)).rejects.toMatchObject({
      name: 'UnknownError',
      message: 'DynamoDB answered with the status 403',
      $fault: 'client',
      $metadata: { httpStatusCode: 403 },
    });
  });
});

test('a response whose CRC32 is right is accepted', async () => {
  const body = '{"Item":{"a":{"S":"ü"}}}';
  const { client } = clientFor([{ body, headers: { 'x-amz-crc32': String(crc32(body)) } }]);
  expect((await client.send(GET)).$metadata.attempts).toBe(1);
});

describe('middleware', () => {
  test('sees each call once, with its name, and can change input and output', async () => {
    const { client, sent } = clientFor([refusal('ThrottlingException')]);
    const seen: string[] = [];
    client.middlewareStack.add(
      (next, { commandName }) =>
        async (call) => {
          seen.push(commandName);
          const { output } = await next({ input: { ...call.input, ConsistentRead: true } });
          return { output: { ...output, more: 1 } };
        },
      { step: 'initialize', name: 'one' },
    );
    expect(await client.send(GET)).toMatchObject({ more: 1, $metadata: { attempts: 2 } });
    expect(seen).toEqual(['GetItemCommand']);
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({ ConsistentRead: true });
    expect([client.middlewareStack.remove('one'), client.middlewareStack.remove('one')]).toEqual([
      true,
      false,
    ]);
    await client.send(GET);
    expect(seen).toHaveLength(1);
  });

  test('has one step', () => {
    const { client } = clientFor([]);
    const add = () => client.middlewareStack.add((next) => next, { step: 'build' });
    expect(add).toThrow("This client has no step 'build': use 'initialize', or deploy with -c client=sdk");
  });
});
