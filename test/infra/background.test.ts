import { describe, expect, test } from '@jest/globals';
import { registry } from '../../functions/registry.ts';
import { GIVING_UP_SECONDS, WORK_SECONDS } from '../../infra/constructs/queue.ts';
import { BACKGROUND } from '../house/background.ts';
import { allowed, variablesOf } from './permissions.ts';
import { type Part, synthesize, target } from './synthesis.ts';

const service = synthesize();
const queues = service.parts('AWS::SQS::Queue');
const waiting = queues.find(({ Properties }) => Properties.RedrivePolicy) as Part;
const dead = service.byId(
  target((waiting.Properties.RedrivePolicy as { deadLetterTargetArn: unknown }).deadLetterTargetArn),
);
const bucket = service.bucket('objects').id;
const operations = target(variablesOf(service, 'operations').TABLE_OPERATIONS);
const kept = target(variablesOf(service, 'members').TABLE_IDEMPOTENCY);
const deferrable = registry.filter(({ actions }) => actions.defer).map(({ name }) => name);

/** The event source of a function that a queue's messages go to. */
function sourceOf(name: string): Readonly<Record<string, unknown>> {
  const { id } = service.functionOf(name);
  const found = service
    .parts('AWS::Lambda::EventSourceMapping')
    .filter(({ Properties }) => target(Properties.FunctionName) === id);
  expect(found).toHaveLength(1);
  return (found[0] as Part).Properties;
}

/** What reading a queue needs. Source: AWS Lambda Developer Guide, "Configuring the execution role" (Amazon SQS). */
const reading = (queue: string) =>
  ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'].map(
    (one) => `sqs:${one} ${queue}`,
  );

const logging = (name: string) => {
  const { LogGroup } = service.functionOf(name).Properties.LoggingConfig as { LogGroup: unknown };
  return ['CreateLogStream', 'PutLogEvents'].map((one) => `logs:${one} ${target(LogGroup)}`);
};
const sorted = (all: readonly string[]) => [...new Set(all)].map((one) => `Allow ${one}`).sort();

test.each(BACKGROUND)('%s runs on a pinned runtime, and keeps its log for a month', (name) => {
  const { Properties } = service.functionOf(name);
  expect(Properties).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
  });
  const { LogGroup } = Properties.LoggingConfig as { LogGroup: unknown };
  expect(service.byId(target(LogGroup)).Properties.RetentionInDays).toBe(30);
});

describe('the worker', () => {
  test('takes one operation at a time, ten at once, and says which failed', () => {
    expect(sourceOf('worker')).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    });
    expect(target(sourceOf('worker').EventSourceArn)).toBe(waiting.id);
  });
  test('has five minutes, and its message stays hidden six times as long', () => {
    expect(service.functionOf('worker').Properties).toMatchObject({
      Timeout: WORK_SECONDS,
      MemorySize: 1024,
    });
    expect(waiting.Properties.VisibilityTimeout).toBe(6 * WORK_SECONDS);
  });
  test('is told what every function is told whose work it does', () => {
    const all = Object.assign({}, ...deferrable.map((name) => variablesOf(service, name)));
    expect(variablesOf(service, 'worker')).toEqual(all);
  });
  test('may do what they may, and with operations what it must; nothing else', () => {
    const theirs = deferrable
      .flatMap((name) => allowed(service, name))
      .filter((one) => !one.includes(' logs:'))
      .map((one) => one.replace(/^Allow /, ''));
    const own = [
      `dynamodb:GetItem ${operations}`,
      `dynamodb:UpdateItem ${operations}`,
      `s3:GetObject ${bucket}/operations/*`,
      `s3:DeleteObject ${bucket}/operations/*`,
      `s3:GetObject ${bucket}/uploads/*`,
      `s3:DeleteObject ${bucket}/uploads/*`,
      `s3:ListMultipartUploadParts ${bucket}/files/*`,
      `s3:ListBucket ${bucket} if {"StringLikeIfExists":{"s3:prefix":"uploads/*"}}`,
      `sqs:SendMessage ${waiting.id}`,
    ];
    expect(allowed(service, 'worker')).toEqual(
      sorted([...theirs, ...own, ...reading(waiting.id), ...logging('worker')]),
    );
  });
});

describe('the end of what was given up', () => {
  test('reads the dead letters, hidden six times as long as it may take', () => {
    expect(target(sourceOf('dead-letters').EventSourceArn)).toBe(dead.id);
    expect(sourceOf('dead-letters').FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
    expect(service.functionOf('dead-letters').Properties.Timeout).toBe(GIVING_UP_SECONDS);
    expect(dead.Properties.VisibilityTimeout).toBe(6 * GIVING_UP_SECONDS);
  });
  test('may change operations, and look whether one had its effect', () => {
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
  const rule = service.one('AWS::Events::Rule');
  const { id } = service.functionOf('sweeper');

  test('runs every minute, and nobody but the rule may call it', () => {
    expect(rule.Properties).toMatchObject({ ScheduleExpression: 'rate(1 minute)', State: 'ENABLED' });
    expect((rule.Properties.Targets as { Arn: unknown }[]).map(({ Arn }) => target(Arn))).toEqual([id]);
    const permissions = service
      .parts('AWS::Lambda::Permission')
      .filter(({ Properties }) => target(Properties.FunctionName) === id);
    expect(permissions.map(({ Properties }) => Properties.Principal)).toEqual(['events.amazonaws.com']);
    expect(target(permissions[0]?.Properties.SourceArn)).toBe(rule.id);
  });
  test('may find what is due, put it off and send it', () => {
    expect(allowed(service, 'sweeper')).toEqual(
      sorted([
        `dynamodb:Query ${operations}/index/due`,
        `dynamodb:UpdateItem ${operations}`,
        `sqs:SendMessage ${waiting.id}`,
        ...logging('sweeper'),
      ]),
    );
  });
  test('knows as many shards as those who write', () => {
    const other = synthesize({ local: 'true', shards: '8' });
    expect(variablesOf(other, 'sweeper')).toMatchObject({ SHARDS: '8' });
    expect(variablesOf(other, 'worker')).toMatchObject({ SHARDS: '8' });
  });
});

test('functions that a queue’s messages go to may be called by nobody', () => {
  const called = service
    .parts('AWS::Lambda::Permission')
    .map(({ Properties }) => target(Properties.FunctionName));
  for (const name of ['worker', 'dead-letters']) expect(called).not.toContain(service.functionOf(name).id);
});
