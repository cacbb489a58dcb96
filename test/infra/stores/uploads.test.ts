import { expect, test } from '@jest/globals';
import { TIMEOUT_SECONDS } from '../../../infra/constructs/functions/uploads.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { type Part, synthesize, target } from '../synthesis.ts';
import { tablesIn } from '../variables.ts';

const service = await synthesize();
const lambda = service.functionOf('uploads');
const bucket = service.bucket('objects');
const { Variables } = lambda.Properties.Environment as { Variables: Record<string, unknown> };
const mappings = service
  .parts('AWS::Lambda::EventSourceMapping')
  .filter(({ Properties }) => target(Properties.FunctionName) === lambda.id);
const queueOf = (variable: string) => service.byId(target(Variables[variable]));
const [queue, large] = [queueOf('UPLOADS_QUEUE'), queueOf('LARGE_UPLOADS_QUEUE')];

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Principal?: { readonly Service?: string };
  readonly Condition?: unknown;
}

const statementsOf = ({ Properties }: Part) =>
  (Properties.PolicyDocument as { Statement: readonly Statement[] }).Statement;

test('the bucket notifies one queue of uploads in parts, the other of all else, and of nothing twice', () => {
  expect(bucket.Properties.NotificationConfiguration).toEqual({
    QueueConfigurations: [
      [queue, 's3:ObjectCreated:*', 'files/'] as const,
      [queue, 's3:ObjectRemoved:*', 'files/'] as const,
      [queue, 's3:ObjectCreated:Put', 'uploads/'] as const,
      [queue, 's3:ObjectCreated:*', 'binaries/'] as const,
      [large, 's3:ObjectCreated:CompleteMultipartUpload', 'uploads/'] as const,
    ].map(([{ id }, Event, Value]) => ({
      Event,
      Filter: { S3Key: { Rules: [{ Name: 'prefix', Value }] } },
      Queue: { 'Fn::GetAtt': [id, 'Arn'] },
    })),
  });
});

test.each([
  ['small', queue],
  ['large', large],
])('only S3 of this account may send to the queue of %s uploads, before the bucket exists', (_which, one) => {
  const [policy] = service
    .parts('AWS::SQS::QueuePolicy')
    .filter(({ Properties }) => (Properties.Queues as unknown[]).map(target).includes(one.id)) as [Part];
  const allowed = statementsOf(policy).filter(({ Effect }) => Effect === 'Allow');
  expect(allowed).toMatchObject([
    {
      Action: 'sqs:SendMessage',
      Principal: { Service: 's3.amazonaws.com' },
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    },
  ]);
  expect((bucket as Part & { DependsOn: readonly string[] }).DependsOn).toContain(policy.id);
});

test('the function takes one message of each queue at a time and has the longest time-out', () => {
  expect(mappings.map(({ Properties }) => target(Properties.EventSourceArn))).toEqual([queue.id, large.id]);
  for (const { Properties } of atLeastOne(mappings))
    expect(Properties).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: expect.any(Number) },
    });
  expect(lambda.Properties).toMatchObject({ Timeout: 900, Runtime: 'nodejs24.x', Architectures: ['arm64'] });
  for (const { Properties } of [queue, large]) expect(Properties.VisibilityTimeout).toBe(6 * TIMEOUT_SECONDS);
  expect(Object.keys(Variables)).toEqual(expect.arrayContaining(['BUCKET', 'UPLOADS_QUEUE']));
  expect(Object.keys(tablesIn(service, 'uploads'))).toEqual(expect.arrayContaining(['files', 'operations']));
});

test('the function may turn uploads into files, write rows, advance operations, and nothing else', () => {
  const role = target(lambda.Properties.Role);
  const statements = service
    .parts('AWS::IAM::Policy')
    .filter(({ Properties }) => (Properties.Roles as unknown[]).map(target).includes(role))
    .flatMap(statementsOf);
  const actions = statements.flatMap(({ Action }) => [Action].flat()).sort();
  expect(actions).toEqual(
    [
      ...['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      ...['dynamodb:GetItem', 'dynamodb:UpdateItem'],
      ...['logs:CreateLogStream', 'logs:PutLogEvents'],
      ...['GetObject', 'PutObject', 'AbortMultipartUpload', 'ListMultipartUploadParts'].map(
        (name) => `s3:${name}`,
      ),
      ...['s3:GetObject', 's3:DeleteObject', 's3:GetObject', 's3:ListBucket'],
      ...['dynamodb:GetItem', 'dynamodb:Query'],
      ...[
        'ChangeMessageVisibility',
        'DeleteMessage',
        'GetQueueAttributes',
        'GetQueueUrl',
        'ReceiveMessage',
      ].map((name) => `sqs:${name}`),
    ].sort(),
  );
  expect(JSON.stringify(statements)).not.toContain('"Resource":"*"');
  // Files stay: the function may only remove uploads, and bytes that no item names.
  const removing = statements.filter(({ Action }) => [Action].flat().includes('s3:DeleteObject'));
  expect(removing.map(({ Resource }) => JSON.stringify(Resource))).toEqual([
    expect.stringMatching(/^(?=.*"\/uploads\/\*")(?=.*"\/binaries\/\*")/),
  ]);
});

test('the bucket aborts unfinished uploads a day after their operation has ended', () => {
  const { Rules } = bucket.Properties.LifecycleConfiguration as { Rules: readonly unknown[] };
  const AbortIncompleteMultipartUpload = { DaysAfterInitiation: 2 };
  expect(Rules).toContainEqual(
    expect.objectContaining({ AbortIncompleteMultipartUpload, Status: 'Enabled' }),
  );
});
