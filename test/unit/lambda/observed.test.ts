import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { members } from '../../../functions/members.ts';
import { configureLog } from '../../../shared/aws/log.ts';
import { meterClient } from '../../../shared/aws/meter.ts';
import { NAMESPACE } from '../../../shared/lambda/logs/measures.ts';
import { observe, observeBackground } from '../../../shared/lambda/logs/observe.ts';

/** The measured part of a client: the responses to its commands. */
function clientOf(engine: string) {
  let call = (_command: string, output: object): Promise<{ output: object }> => Promise.resolve({ output });
  const asked: object[] = [];
  const client = {
    middlewareStack: {
      add: (
        middleware: (
          next: unknown,
          context: object,
        ) => (given: { input: object }) => Promise<{ output: object }>,
      ) => {
        call = (commandName, output) =>
          middleware(
            async ({ input }: { input: object }) => {
              asked.push(input);
              if (output instanceof Error) throw output;
              return { output };
            },
            { commandName },
          )({ input: { Key: 1 } });
      },
    },
  };
  meterClient(client, engine);
  return { call: (command: string, output: object) => call(command, output), asked };
}

const dynamoDb = clientOf('dynamodb');
const s3 = clientOf('s3');

let lines: Record<string, unknown>[] = [];
beforeEach(() => {
  lines = [];
  configureLog((_level, line) => void lines.push(JSON.parse(line)));
  process.env.SERVICE = 'shop';
});
afterEach(() => {
  configureLog();
  delete process.env.SERVICE;
  delete process.env.METRICS;
});

const event = (headers: Record<string, string[]> = {}) =>
  ({
    httpMethod: 'GET',
    resource: '/members/{id}',
    path: '/members/17',
    multiValueHeaders: headers,
    requestContext: { requestId: 'r-1' },
  }) as unknown as APIGatewayProxyEvent;
const context = { awsRequestId: 'r-2' } as Context;

const serve = (status: number, work: () => Promise<unknown> = async () => undefined, more = {}) =>
  observe(members, async (): Promise<APIGatewayProxyResult> => {
    await work();
    return { statusCode: status, body: '', ...more };
  });

describe('the log line of a request', () => {
  // Specification 11.14
  test('has the hash of the caller that the authorizer made, and names no caller', async () => {
    const by = async (authorizer?: object) => {
      const one = event();
      await serve(200)({ ...one, requestContext: { ...one.requestContext, authorizer } } as never, context);
      return lines.at(-1)?.caller;
    };
    expect(await by({ principalId: 'ada@example.com', caller: 'c0ffee' })).toBe('c0ffee');
    expect(await by({ principalId: 'ada@example.com' })).toBeUndefined();
    expect(await by()).toBeUndefined();
    expect(JSON.stringify(lines)).not.toContain('ada@');
  });

  test('has the request and its result by template, without personal data', async () => {
    await serve(200)(event(), context);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'info',
      requestId: 'r-1',
      method: 'GET',
      template: '/members/{id}',
      status: 200,
      service: 'shop',
      resource: 'members',
    });
    expect(JSON.stringify(lines)).not.toContain('/members/17');
  });

  test('has metrics in the embedded format, each with a definition and a value', async () => {
    await serve(503)(event(), context);
    const [line = {}] = lines;
    const { CloudWatchMetrics: metrics } = line._aws as {
      CloudWatchMetrics: { Namespace: string; Dimensions: string[][]; Metrics: { Name: string }[] }[];
    };
    expect(metrics).toHaveLength(1);
    expect(metrics[0]).toMatchObject({ Namespace: NAMESPACE, Dimensions: [['service', 'resource']] });
    for (const { Name } of metrics[0]?.Metrics ?? []) expect(line[Name]).toEqual(expect.any(Number));
    expect(line).toMatchObject({ Requests: 1, Failures: 1 });
    expect(line).not.toHaveProperty('WriteUnits');
  });

  test('counts DynamoDB’s read and write units, and calls by engine', async () => {
    await serve(200, async () => {
      await dynamoDb.call('QueryCommand', { ConsumedCapacity: { CapacityUnits: 1.5 } });
      await dynamoDb.call('TransactWriteItemsCommand', {
        ConsumedCapacity: [{ CapacityUnits: 4 }, { CapacityUnits: 2 }],
      });
      await dynamoDb.call('GetItemCommand', new Error('down')).catch(() => undefined);
      await s3.call('HeadObjectCommand', {});
    })(event(), context);
    expect(lines[0]).toMatchObject({ ReadUnits: 1.5, WriteUnits: 6, calls: { dynamodb: 3, s3: 1 } });
    expect(dynamoDb.asked[0]).toEqual({ Key: 1, ReturnConsumedCapacity: 'TOTAL' });
    expect(s3.asked[0]).toEqual({ Key: 1 });
  });

  test('covers its own request only, also with concurrent ones', async () => {
    const read = (units: number) => async () => {
      await new Promise((later) => setTimeout(later, 5));
      await dynamoDb.call('GetItemCommand', { ConsumedCapacity: { CapacityUnits: units } });
    };
    await Promise.all([1, 2, 3].map((units) => serve(200, read(units))(event(), context)));
    expect(lines.map((line) => line.ReadUnits).sort()).toEqual([1, 2, 3]);
  });

  test("exists for functions in the background, with Lambda's id", async () => {
    await observeBackground('worker', async (..._: [unknown, Context]) => undefined)({}, context);
    expect(lines).toEqual([expect.objectContaining({ requestId: 'r-2', resource: 'worker' })]);
  });

  test('counts a batch as failed if some of its records return', async () => {
    const answers =
      (batchItemFailures: object[]) =>
      async (..._: [unknown, Context]) => ({ batchItemFailures });
    await observeBackground('worker', answers([{ itemIdentifier: 'm' }]))({}, context);
    await observeBackground('worker', answers([]))({}, context);
    expect(lines.map((line) => line.Failures)).toEqual([1, undefined]);
  });

  test('has no metrics if the operator wants none, and does not exist without an operator', async () => {
    process.env.METRICS = 'false';
    await serve(200)(event(), context);
    expect(lines[0]).not.toHaveProperty('_aws');
    expect(lines[0]).toMatchObject({ resource: 'members', duration: expect.any(Number) });
    delete process.env.SERVICE;
    await serve(200)(event(), context);
    expect(lines).toHaveLength(1);
  });
});

test('marks only the first invocation of a process as a cold start', async () => {
  jest.resetModules();
  const { observe: fresh } = await import('../../../shared/lambda/logs/observe.ts');
  const { configureLog: configureFresh } = await import('../../../shared/aws/log.ts');
  configureFresh((_level, line) => void lines.push(JSON.parse(line)));
  const handler = fresh(members, async () => ({ statusCode: 200, body: '' }));
  await handler(event(), context);
  await handler(event(), context);
  expect(lines.map((line) => line.ColdStarts)).toEqual([1, undefined]);
});

describe('Server-Timing', () => {
  test('is present for clients that prefer it', async () => {
    const read = () => dynamoDb.call('GetItemCommand', { ConsumedCapacity: { CapacityUnits: 1 } });
    const { headers = {} } = await serve(200, read, { headers: { ETag: '"1"' } })(
      event({ prefer: ['return=minimal, server-timing'] }),
      context,
    );
    expect(headers).toMatchObject({ ETag: '"1"', 'Preference-Applied': 'server-timing' });
    expect(headers['Server-Timing']).toMatch(
      /^total;dur=[\d.]+, dynamodb;dur=[\d.]+;desc="1 call", read-units;desc="1"$/,
    );
  });

  test('joins the applied preferences', async () => {
    const result = await serve(204, undefined, { headers: { 'Preference-Applied': 'return=minimal' } })(
      event({ Prefer: ['server-timing'] }),
      context,
    );
    expect(result.headers?.['Preference-Applied']).toBe('return=minimal, server-timing');
  });

  test('is absent for other clients', async () => {
    const { headers } = await serve(200)(event({ Prefer: ['return=minimal'] }), context);
    expect(headers).toBeUndefined();
  });
});
