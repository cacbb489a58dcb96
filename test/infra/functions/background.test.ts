import { describe, expect, test } from '@jest/globals';
import { isBackfillable } from '../../../functions/worker/backfill/backfill.ts';
import { GIVING_UP_SECONDS, WORK_SECONDS } from '../../../infra/constructs/stores/queue.ts';
import { tablesOf } from '../../../service/derived/tables.ts';
import { registry } from '../../../service/registry.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { BACKGROUND } from '../../house/background.ts';
import { allowed } from '../permissions.ts';
import { type Part, synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize();
const queues = service.parts('AWS::SQS::Queue');
const waiting = queues.find(({ Properties }) => Properties.RedrivePolicy) as Part;
const dead = service.byId(
  target((waiting.Properties.RedrivePolicy as { deadLetterTargetArn: unknown }).deadLetterTargetArn),
);
const bucket = service.bucket('objects').id;
const operations = tablesIn(service, 'operations').operations;
const kept = tablesIn(service, 'members').idempotency;
/** The resources whose operations the worker runs. Of subscriptions, it brings stored items up to date. */
const worked = registry.filter((one) => one.deferral || isBackfillable(one)).map(({ name }) => name);
const { WEBHOOKS_QUEUE: webhooks } = variablesOf(service, 'subscriptions');
const { deliveries, waiting: waitingTable } = tablesIn(service, 'subscriptions');
/** What only the function of subscriptions does: it keeps secrets, and sends events again. */
const isOfDeliveries = (permission: string) =>
  [deliveries, waitingTable, target(webhooks)].some((one) => permission.endsWith(` ${one}`));

/** The rule with this schedule. */
const ruleFor = (schedule: string): Part =>
  service
    .parts('AWS::Events::Rule')
    .find(({ Properties }) => Properties.ScheduleExpression === schedule) as Part;

/** The event source of a queue's function. */
function sourceOf(name: string): Readonly<Record<string, unknown>> {
  const { id } = service.functionOf(name);
  const found = service
    .parts('AWS::Lambda::EventSourceMapping')
    .filter(({ Properties }) => target(Properties.FunctionName) === id);
  expect(found).toHaveLength(1);
  return (found[0] as Part).Properties;
}

/**
 * The permissions to read a queue. Source: AWS Lambda Developer Guide, "Configuring the execution role" (Amazon
 * SQS).
 */
const reading = (queue: string) =>
  ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'].map(
    (one) => `sqs:${one} ${queue}`,
  );

const logging = (name: string) => {
  const { LogGroup } = service.functionOf(name).Properties.LoggingConfig as { LogGroup: unknown };
  return ['CreateLogStream', 'PutLogEvents'].map((one) => `logs:${one} ${target(LogGroup)}`);
};
const sorted = (all: readonly string[]) => [...new Set(all)].map((one) => `Allow ${one}`).sort();

test.each(BACKGROUND)('%s has a pinned runtime and a log with a retention', (name) => {
  const { Properties } = service.functionOf(name);
  expect(Properties).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
  });
  const { LogGroup } = Properties.LoggingConfig as { LogGroup: unknown };
  expect(service.byId(target(LogGroup)).Properties.RetentionInDays).toBe(name === 'audit' ? 365 : 30);
});

describe('the worker', () => {
  test('processes one operation at a time, ten concurrently, and reports failed ones', () => {
    expect(sourceOf('worker')).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    expect(target(sourceOf('worker').EventSourceArn)).toBe(waiting.id);
  });
  test('has five minutes, and the queue hides its message six times as long', () => {
    expect(service.functionOf('worker').Properties).toMatchObject({
      Timeout: WORK_SECONDS,
      MemorySize: 1024,
    });
    expect(waiting.Properties.VisibilityTimeout).toBe(6 * WORK_SECONDS);
    expect(waiting.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  });
  test('may send messages to its own queue, as the functions of webhooks may, and no other function', () => {
    const loops = service.parts('AWS::Lambda::Function').map(({ Properties }) => Properties.RecursiveLoop);
    expect(loops.filter((one) => one !== undefined)).toEqual(['Allow', 'Allow', 'Allow']);
    for (const name of ['worker', 'webhooks', 'fanout'])
      expect(service.functionOf(name).Properties.RecursiveLoop).toBe('Allow');
  });
  test('has the environment of every function whose work it does', () => {
    const { WEBHOOKS_QUEUE: _, ...all } = Object.assign(
      {},
      ...worked.map((name) => variablesOf(service, name)),
    );
    expect(variablesOf(service, 'worker')).toEqual({ ...all, TABLES: expect.anything() });
    // Commands of operators find all tables by this environment.
    const tables = Object.keys(tablesIn(service, 'worker'));
    expect(tables.sort()).toEqual(
      tablesOf(registry)
        .map(({ resource }) => resource)
        .sort(),
    );
  });
  test('has exactly their permissions and those for operations', () => {
    const theirs = worked
      .flatMap((name) => allowed(service, name))
      .filter((one) => !one.includes(' logs:') && !isOfDeliveries(one))
      // The worker may read any row of these tables.
      .filter((one) => !one.includes('LeadingKeys'))
      .map((one) => one.replace(/^Allow /, ''));
    const versions = tablesIn(service, 'members')[VERSIONS_TABLE.name];
    const own = [
      `dynamodb:GetItem ${operations}`,
      `dynamodb:UpdateItem ${operations}`,
      `s3:GetObject ${bucket}/operations/*`,
      `s3:DeleteObject ${bucket}/operations/*`,
      `s3:GetObject ${bucket}/uploads/*`,
      `s3:DeleteObject ${bucket}/uploads/*`,
      `s3:ListMultipartUploadParts ${bucket}/files/*`,
      `s3:GetObject ${bucket}/identity`,
      `s3:PutObject ${bucket}/identity`,
      `s3:ListBucket ${bucket} if {"StringLikeIfExists":{"s3:prefix":["uploads/*","binaries/*"]}}`,
      `sqs:SendMessage ${waiting.id}`,
      `dynamodb:DeleteItem ${versions}`,
      `dynamodb:Query ${versions}/index/clear`,
      ...registry.filter(isBackfillable).map(({ name }) => `dynamodb:Scan ${tablesIn(service, name)[name]}`),
    ];
    expect(allowed(service, 'worker')).toEqual(
      sorted([...theirs, ...own, ...reading(waiting.id), ...logging('worker')]),
    );
  });
});

// Specification 5.4, 8.4
test('each day, messages make the worker compare files with their list, and find removed items that cannot return', () => {
  const rule = ruleFor('rate(1 day)');
  const targets = rule.Properties.Targets as { Arn: unknown; Input: string }[];
  expect(targets.map(({ Arn, Input }) => [target(Arn), Input])).toEqual([
    [waiting.id, '{"compare":{"of":"files"}}'],
    [waiting.id, '{"compare":{"of":"bytes"}}'],
    [waiting.id, '{"ended":{}}'],
  ]);
  const policies = service
    .parts('AWS::SQS::QueuePolicy')
    .filter(({ Properties }) => target((Properties.Queues as unknown[])[0]) === waiting.id);
  expect(policies.map(({ Properties }) => Properties.PolicyDocument)).toMatchObject([
    {
      Statement: expect.arrayContaining([
        expect.objectContaining({
          Effect: 'Allow',
          Principal: { Service: 'events.amazonaws.com' },
          Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [rule.id, 'Arn'] } } },
        }),
      ]),
    },
  ]);
});

describe('the consumer of the dead-letter queue', () => {
  test('hides dead letters six times as long as its time-out', () => {
    expect(target(sourceOf('dead-letters').EventSourceArn)).toBe(dead.id);
    expect(sourceOf('dead-letters').FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    expect(service.functionOf('dead-letters').Properties.Timeout).toBe(GIVING_UP_SECONDS);
    expect(dead.Properties.VisibilityTimeout).toBe(6 * GIVING_UP_SECONDS);
  });
  test('may change operations and read recorded effects', () => {
    expect(allowed(service, 'dead-letters')).toEqual(
      sorted([
        `dynamodb:GetItem ${operations}`,
        `dynamodb:UpdateItem ${operations}`,
        `dynamodb:GetItem ${kept}`,
        ...reading(dead.id),
        ...logging('dead-letters'),
      ]),
    );
  });
});

describe('the sweeper', () => {
  const rule = ruleFor('rate(1 minute)');
  const { id } = service.functionOf('sweeper');

  test('runs every minute, and only the rule may call it', () => {
    expect(rule.Properties).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    expect((rule.Properties.Targets as { Arn: unknown }[]).map(({ Arn }) => target(Arn))).toEqual([id]);
    const permissions = service
      .parts('AWS::Lambda::Permission')
      .filter(({ Properties }) => target(Properties.FunctionName) === id);
    expect(permissions.map(({ Properties }) => Properties.Principal)).toEqual(['events.amazonaws.com']);
    expect(target(permissions[0]?.Properties.SourceArn)).toBe(rule.id);
  });
  test('may find, snooze and send overdue operations, and wake what is late for subscriptions', () => {
    const { PROVEN_QUEUE, FANOUT_QUEUE } = variablesOf(service, 'sweeper');
    expect(allowed(service, 'sweeper')).toEqual(
      sorted([
        ...['GetItem', 'Query', 'UpdateItem'].map((one) => `dynamodb:${one} ${waitingTable}`),
        `dynamodb:Query ${waitingTable}/index/due`,
        ...[PROVEN_QUEUE, webhooks, FANOUT_QUEUE].map((one) => `sqs:SendMessage ${target(one)}`),
        `dynamodb:Query ${operations}/index/due`,
        `dynamodb:GetItem ${operations}`,
        `dynamodb:UpdateItem ${operations}`,
        `sqs:SendMessage ${waiting.id}`,
        ...logging('sweeper'),
      ]),
    );
  });
  test('knows the number of partitions that the operator wants', async () => {
    const other = await synthesize({ local: 'true', shards: '8' });
    for (const name of ['worker', 'uploads', 'members'])
      expect(variablesOf(other, name)).toMatchObject({ SHARDS: '8' });
  });
});

test('only the event source may call the function of a queue', () => {
  const called = service
    .parts('AWS::Lambda::Permission')
    .map(({ Properties }) => target(Properties.FunctionName));
  for (const name of ['worker', 'dead-letters']) expect(called).not.toContain(service.functionOf(name).id);
});
