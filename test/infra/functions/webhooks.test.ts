import { describe, expect, test } from '@jest/globals';
import * as catalog from '../../../service/catalog.ts';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { CHANGES_TABLE } from '../../../shared/store/form/log-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { allowed } from '../permissions.ts';
import { synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize();
const queueIn = (variable: string) => target(variablesOf(service, 'fanout')[variable]);
const [proven, other, fanOut] = ['PROVEN_QUEUE', 'WEBHOOKS_QUEUE', 'FANOUT_QUEUE'].map(queueIn) as [
  string,
  string,
  string,
];
const tables = tablesIn(service, 'webhooks');

const sourcesOf = (name: string) =>
  service
    .parts('AWS::Lambda::EventSourceMapping')
    .map(({ Properties }) => Properties)
    .filter(({ FunctionName }) => target(FunctionName) === service.functionOf(name).id)
    .map(({ EventSourceArn, BatchSize, ScalingConfig }) => [
      target(EventSourceArn),
      BatchSize,
      (ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency,
    ]);

// Specification 18.9
test('the facts that bundles contain survive JSON, in which a regular expression is an empty object', () => {
  const facts = atLeastOne(Object.entries(catalog));
  expect(Object.fromEntries(facts)).toEqual(JSON.parse(JSON.stringify(Object.fromEntries(facts))));
});

test('each lane has a queue and places of its own, and a run is for one receiver', () => {
  expect(new Set([proven, other, fanOut]).size).toBe(3);
  expect(sourcesOf('webhooks').sort()).toEqual(
    [
      [proven, 1, 10],
      [other, 1, 50],
    ].sort(),
  );
  expect(sourcesOf('fanout')).toEqual([[fanOut, 10, 2]]);
  for (const queue of [proven, other, fanOut])
    expect(service.byId(queue).Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
});

const reading = (queue: string) =>
  ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'].map(
    (one) => `sqs:${one} ${queue}`,
  );
const sending = (...queues: readonly string[]) => queues.map((one) => `sqs:SendMessage ${one}`);
const using = (table: string, ...operations: readonly string[]) =>
  operations.map((one) => `dynamodb:${one} ${tables[table]}`);

describe.each([
  [
    'webhooks',
    [
      ...[proven, other].flatMap(reading),
      ...sending(proven, other),
      ...using('subscriptions', 'GetItem', 'UpdateItem'),
      ...using(DELIVERIES_TABLE.name, 'GetItem', 'PutItem'),
      ...using(WAITING_TABLE.name, 'GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'),
      `dynamodb:Query ${tables[WAITING_TABLE.name]}/index/byDue`,
      ...using(CHANGES_TABLE.name, 'GetItem'),
      `dynamodb:GetItem ${tables[IDEMPOTENCY_TABLE.name]} if {"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["denied subjects"]}}`,
    ],
  ],
  [
    'fanout',
    [
      ...reading(fanOut),
      ...sending(proven, other, fanOut),
      ...using('subscriptions', 'Scan'),
      ...using(DELIVERIES_TABLE.name, 'BatchGetItem', 'PutItem'),
      ...using(WAITING_TABLE.name, 'GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'),
      ...using(CHANGES_TABLE.name, 'Query'),
    ],
  ],
])('the function %s', (name, permissions) => {
  test('may do its work, and nothing else', () => {
    const { LogGroup } = service.functionOf(name).Properties.LoggingConfig as { LogGroup: unknown };
    const logging = ['CreateLogStream', 'PutLogEvents'].map((one) => `logs:${one} ${target(LogGroup)}`);
    expect(allowed(service, name)).toEqual([...permissions, ...logging].map((one) => `Allow ${one}`).sort());
  });
});

// Specification 17.1
test('no function between a stream and the log has a permission for subscriptions or secrets', () => {
  const ofEvents = allowed(service, 'events').filter((one) => !one.includes('/stream'));
  expect(ofEvents.length).toBeGreaterThan(5);
  for (const name of ['subscriptions', DELIVERIES_TABLE.name])
    expect(
      ofEvents.filter((one) => one.includes(` ${tables[name]}`) && !/Stream|Shard|GetRecords/.test(one)),
    ).toEqual([]);
  expect(ofEvents.filter((one) => one.includes('Scan'))).toEqual([]);
});
