import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bundleOf } from '../bundles.ts';
import { allowed } from '../permissions.ts';
import { type Part, synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize({ eventWorkers: '4', observability: 'full' }, 'with reactions');
const { id, Properties } = service.functionOf('parcels-changes');
const table = tablesIn(service, 'parcels').parcels;
const [mapping] = service
  .parts('AWS::Lambda::EventSourceMapping')
  .filter(({ Properties: { FunctionName } }) => target(FunctionName) === id) as [Part];
const { OnFailure } = mapping.Properties.DestinationConfig as { OnFailure: { Destination: unknown } };
const dead = target(OnFailure.Destination);
const alarms = service.parts('AWS::CloudWatch::Alarm');
const alarm = (name: string) =>
  alarms.find((one) => one.Properties.AlarmName === `resource-api-${name}`) as Part;

test('the stream of the table feeds the function in order, and a change that fails is alone in the end', () => {
  expect(mapping.Properties).toMatchObject({
    EventSourceArn: { 'Fn::GetAtt': [table, 'StreamArn'] },
    StartingPosition: 'TRIM_HORIZON',
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    BisectBatchOnFunctionError: true,
    ParallelizationFactor: 4,
  });
  expect(mapping.Properties.MaximumRetryAttempts).toBeGreaterThan(0);
  expect(mapping.Properties.MaximumRecordAgeInSeconds).toBe(6 * 3600);
  expect(Properties).toMatchObject({ Timeout: 300, MemorySize: 512, Runtime: 'nodejs24.x' });
});

test('one dead-letter queue, whose address is an output, keeps the changes of all resources for 14 days', () => {
  const { Outputs } = service.json as { Outputs: Readonly<Record<string, { Value: unknown }>> };
  expect(target(Outputs.DeadChanges?.Value)).toBe(dead);
  expect(service.byId(dead).Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  const destinations = service
    .parts('AWS::Lambda::EventSourceMapping')
    .map((one) => JSON.stringify(one.Properties.DestinationConfig))
    .filter((text) => text?.includes(dead));
  expect(destinations).toHaveLength(2);
});

test('the function has the permissions of its resource, those for the stream and the key of hashes, and no others', () => {
  const secret = service.one('AWS::SecretsManager::Secret').id;
  const isLog = (line: string) => line.includes(' logs:');
  const stream = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  const queue = ['GetQueueAttributes', 'GetQueueUrl', 'SendMessage'];
  expect(allowed(service, 'parcels-changes').filter((line) => !isLog(line))).toEqual(
    [
      ...allowed(service, 'parcels').filter((line) => !isLog(line)),
      ...stream.map((one) => `Allow dynamodb:${one} ${table}`),
      ...queue.map((one) => `Allow sqs:${one} ${dead}`),
      `Allow secretsmanager:GetSecretValue ${secret}`,
    ].sort(),
  );
  expect(variablesOf(service, 'parcels-changes')).toEqual({
    ...variablesOf(service, 'parcels'),
    AUDIT_SECRET: { Ref: secret },
  });
});

test('a dead change needs a person at once, because its stream keeps it for a day', () => {
  const topic = (name: string) =>
    target((service.json.Outputs as Record<string, { Value: unknown }>)[name]?.Value);
  const sent = ['dead-changes', 'late-changes'].map((name) =>
    (alarm(name).Properties.AlarmActions as unknown[]).map(target),
  );
  expect(sent).toEqual([[topic('AlarmTopic')], [topic('TicketTopic')]]);
  for (const name of ['dead-changes', 'late-changes'])
    expect(alarm(name).Properties.AlarmDescription).toContain(`docs/operations.md#${name}`);
  expect(JSON.stringify(alarm('dead-changes').Properties.Metrics)).toContain(dead);
});

test('the alarm on late changes compares the oldest change of all functions', () => {
  const { Metrics } = alarm('late-changes').Properties as {
    Metrics: { Expression?: string; MetricStat?: { Metric: { MetricName: string } } }[];
  };
  expect(Metrics[0]?.Expression).toBe('MAX([FILL(m0, 0), FILL(m1, 0)])');
  expect(Metrics.slice(1).map((one) => one.MetricStat?.Metric.MetricName)).toEqual([
    'IteratorAge',
    'IteratorAge',
  ]);
});

test('the failures of the function count with those of other background functions', () => {
  const watched = alarms.filter((one) => String(one.Properties.AlarmName).includes('background-errors'));
  expect(JSON.stringify(watched)).toContain('"Value":"parcels-changes"');
});

test('a service without onChange has nothing of this', async () => {
  const plain = await synthesize();
  const names = plain.parts('AWS::Lambda::Function').map(({ Metadata }) => String(Metadata?.SamResourceId));
  expect(names.filter((name) => name.endsWith('-changes'))).toEqual([]);
  expect(plain.parts('AWS::SQS::Queue').length).toBeLessThan(service.parts('AWS::SQS::Queue').length);
  expect(plain.text).not.toMatch(/dead-changes|late-changes|DeadChanges/);
});

test('the bundle of the function has the code of its resource, and serves no requests', async () => {
  const { chunks } = await bundleOf('operations-changes');
  const modules = chunks.filter(({ isStatic }) => isStatic).flatMap((one) => one.modules);
  expect(modules).toEqual(
    expect.arrayContaining(['functions/operations/resource.ts', 'shared/events/changes.ts']),
  );
  const foreign = ['shared/lambda/serve.ts', 'shared/flow/answer.ts', 'functions/files/resource.ts'];
  expect(modules.filter((path) => foreign.includes(path))).toEqual([]);
});

// A stack without `onChange` lacks the output DeadChanges.
test.each(['operations', 'releases', 'recovery'])(
  'the outputs that commands of docs/%s.md read exist',
  (page) => {
    const text = readFileSync(join(import.meta.dirname, `../../../docs/${page}.md`), 'utf8');
    const read = [...text.matchAll(/OutputKey=='(\w+)'/g)].map(([, name = '']) => name);
    const { Outputs } = service.json as { Outputs: object };
    expect(read.filter((name) => !(name in Outputs))).toEqual([]);
    expect(read).not.toEqual([]);
  },
);
