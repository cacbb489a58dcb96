import { expect, test } from '@jest/globals';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { allowed } from '../permissions.ts';
import { synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize();
const { id, Properties } = service.functionOf('webhooks');
const ONE_ROW = { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['denied subjects'] } };
const queue = target(variablesOf(service, 'webhooks').WEBHOOKS_QUEUE);

test('the function gets ten events at a time, and returns those that wait for their next attempt', () => {
  const sources = service
    .parts('AWS::Lambda::EventSourceMapping')
    .filter((one) => target(one.Properties.FunctionName) === id);
  expect(sources.map((one) => one.Properties)).toMatchObject([
    {
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 10 },
    },
  ]);
  expect(sources.map((one) => target(one.Properties.EventSourceArn))).toEqual([queue]);
  // A message waits for its next attempt for up to 12 h, and the last attempt is three days after the event.
  expect(service.byId(queue).Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
});

test('the function may change subscriptions, keep deliveries, read its queue and denied subjects, and nothing else', () => {
  const tables = tablesIn(service, 'webhooks');
  expect(Object.keys(tables).sort()).toEqual([DELIVERIES_TABLE.name, 'idempotency', 'subscriptions']);
  const log = target((Properties.LoggingConfig as { LogGroup: unknown }).LogGroup);
  const deliveries = tables[DELIVERIES_TABLE.name];
  expect(allowed(service, 'webhooks')).toEqual(
    [
      ...[
        'ChangeMessageVisibility',
        'DeleteMessage',
        'GetQueueAttributes',
        'GetQueueUrl',
        'ReceiveMessage',
      ].map((one) => `sqs:${one} ${queue}`),
      ...['GetItem', 'UpdateItem'].map((one) => `dynamodb:${one} ${tables.subscriptions}`),
      ...['Query', 'PutItem'].map((one) => `dynamodb:${one} ${deliveries}`),
      `dynamodb:GetItem ${tables.idempotency} if ${JSON.stringify(ONE_ROW)}`,
      ...['CreateLogStream', 'PutLogEvents'].map((one) => `logs:${one} ${log}`),
    ]
      .map((one) => `Allow ${one}`)
      .sort(),
  );
});
