import { expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { CHANGES_TABLE } from '../../../shared/store/form/log-table.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { type Part, synthesize, target } from '../synthesis.ts';
import { tablesIn } from '../variables.ts';

const service = await synthesize();
const { Properties } = service.functionOf('events');
const { Variables } = Properties.Environment as { Variables: Record<string, unknown> };
const withTable = registry.filter(({ table }) => table).map(({ name }) => name);
const known = tablesIn(service, 'events');
const bus = service.one('AWS::Events::EventBus');
const bucket = service.bucket('objects').id;
/** The queue of the worker, which clears references to removed items. */
const queue = target(Variables.OPERATIONS_QUEUE);
const mappings = service.parts('AWS::Lambda::EventSourceMapping');
const leadsHere = ({ Properties: { FunctionName } }: Part) =>
  target(FunctionName) === service.functionOf('events').id;

test('every resource’s table has a stream with both images, and the tables that resources share have none', () => {
  const tables = service.parts('AWS::DynamoDB::GlobalTable');
  const streamed = tables.filter(({ Properties: { StreamSpecification } }) => StreamSpecification);
  const own = Object.entries(known).filter(([name]) => withTable.includes(name));
  expect(streamed.map(({ id }) => id).sort()).toEqual(own.map(([, id]) => id).sort());
  for (const { Properties: table } of atLeastOne(streamed))
    expect(table.StreamSpecification).toEqual({ StreamViewType: 'NEW_AND_OLD_IMAGES' });
  expect(Object.keys(known)).not.toContain(IDEMPOTENCY_TABLE.name);
});

test('the function knows the tables by name, and the bus', () => {
  expect(Object.keys(known).sort()).toEqual(
    [...withTable, CHANGES_TABLE.name, VERSIONS_TABLE.name, WAITING_TABLE.name].sort(),
  );
  expect(Variables).toEqual({
    TABLES: expect.anything(),
    EVENT_BUS: { Ref: bus.id },
    BUCKET: { Ref: bucket },
    OPERATIONS_QUEUE: { Ref: queue },
    FANOUT_QUEUE: { Ref: expect.stringMatching(/webhooksfanout/) },
    AUDIT_SECRET: { Ref: service.one('AWS::SecretsManager::Secret').id },
    AWS_ENDPOINT_URL_DYNAMODB: '',
    AWS_ENDPOINT_URL_EVENTBRIDGE: '',
    AWS_ENDPOINT_URL_S3: '',
    AWS_ENDPOINT_URL_SQS: '',
    SERVICE: 'resource-api',
    METRICS: 'false',
  });
  expect(Properties).toMatchObject({
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
    Timeout: 60,
    MemorySize: 256,
  });
});

test('each stream feeds the function from its beginning, in order, with limited attempts', () => {
  const own = mappings.filter(leadsHere);
  expect(own.map(({ Properties: { EventSourceArn } }) => EventSourceArn)).toEqual(
    expect.arrayContaining(withTable.map((name) => ({ 'Fn::GetAtt': [known[name], 'StreamArn'] }))),
  );
  expect(own).toHaveLength(withTable.length);
  for (const { Properties: mapping } of own) {
    expect(mapping).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      ParallelizationFactor: 1,
    });
    expect(mapping.MaximumRetryAttempts).toBeGreaterThan(0);
    // A record that only waits is never too old.
    expect(mapping.MaximumRecordAgeInSeconds).toBe(-1);
    const { OnFailure } = mapping.DestinationConfig as { OnFailure: { Destination: unknown } };
    const dead = service.byId(target(OnFailure.Destination));
    expect(dead.Type).toBe('AWS::SQS::Queue');
    expect(dead.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  }
});

test('the function may read the streams, put events, keep versions, remove bytes, send work and events for subscriptions, set records aside, read the key of the hashes, and nothing else', () => {
  const role = target(Properties.Role);
  const statements = service
    .parts('AWS::IAM::Policy')
    .filter(({ Properties: { Roles } }) => (Roles as unknown[]).map(target).includes(role))
    .flatMap(({ Properties: { PolicyDocument } }) => (PolicyDocument as { Statement: unknown[] }).Statement);
  const log = (Properties.LoggingConfig as { LogGroup: unknown }).LogGroup;
  const [{ Properties: mapping } = {}] = mappings.filter(leadsHere) as [Part];
  const { OnFailure } = (mapping as Part['Properties']).DestinationConfig as {
    OnFailure: { Destination: unknown };
  };
  const arn = (id: string, name = 'Arn') => ({ 'Fn::GetAtt': [id, name] });
  expect(statements).toEqual([
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: arn(target(log)),
    },
    { Effect: 'Allow', Action: 'events:PutEvents', Resource: arn(bus.id) },
    { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: arn(known[VERSIONS_TABLE.name] ?? '') },
    {
      Effect: 'Allow',
      Action: ['dynamodb:BatchGetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem'],
      Resource: arn(known[CHANGES_TABLE.name] ?? ''),
    },
    {
      Effect: 'Allow',
      Action: 's3:DeleteObject',
      Resource: { 'Fn::Join': ['', [arn(bucket), '/binaries/*']] },
    },
    {
      Effect: 'Allow',
      Action: 'sqs:SendMessage',
      Resource: expect.arrayContaining([arn(queue), arn(target(Variables.FANOUT_QUEUE))]),
    },
    { Effect: 'Allow', Action: 'secretsmanager:GetSecretValue', Resource: Variables.AUDIT_SECRET },
    {
      Effect: 'Allow',
      Action: [
        'dynamodb:DescribeStream',
        'dynamodb:GetRecords',
        'dynamodb:GetShardIterator',
        'dynamodb:ListStreams',
      ],
      Resource: expect.arrayContaining(withTable.map((name) => arn(known[name] ?? '', 'StreamArn'))),
    },
    {
      Effect: 'Allow',
      Action: ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
      Resource: OnFailure.Destination,
    },
    // Whether a subscription is active. It may read none of them, and waits for none.
    { Effect: 'Allow', Action: 'dynamodb:GetItem', Resource: arn(known[WAITING_TABLE.name] ?? '') },
  ]);
});

test('no other function puts events', () => {
  const policies = service.parts('AWS::IAM::Policy').map((part) => JSON.stringify(part.Properties));
  expect(policies.filter((text) => text.includes('events:PutEvents'))).toHaveLength(1);
});

test('steps of operations call no function: only their ends are events', () => {
  const patterns = mappings
    .filter(leadsHere)
    .flatMap(
      ({ Properties: { FilterCriteria } }) =>
        (FilterCriteria as { Filters: { Pattern: string }[] })?.Filters ?? [],
    )
    .map(({ Pattern }) => JSON.parse(Pattern));
  expect(patterns).toEqual([
    { dynamodb: { NewImage: { status: { S: ['Succeeded', 'Failed', 'Canceled'] } } } },
  ]);
});
