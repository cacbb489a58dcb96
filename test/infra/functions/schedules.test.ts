import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { expressionsOf } from '../../../infra/constructs/functions/schedules.ts';
import { allowed, allowedTo } from '../permissions.ts';
import { type Part, synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const RUNBOOK = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
const variables = { MAIL_FROM: 'library@example.org' };
// An error if the rules of lint find something.
const service = await synthesize({ observability: 'full' }, 'with schedules', { variables, judged: true });
const lambda = service.functionOf('reminders-schedule');
const times = service.parts('AWS::Scheduler::Schedule');
const [mapping] = service
  .parts('AWS::Lambda::EventSourceMapping')
  .filter(({ Properties: { FunctionName } }) => target(FunctionName) === lambda.id) as [Part];
const queue = target(mapping.Properties.EventSourceArn);
const { RedrivePolicy } = service.byId(queue).Properties as {
  RedrivePolicy: { deadLetterTargetArn: unknown; maxReceiveCount: number };
};
const dead = target(RedrivePolicy.deadLetterTargetArn);

// Specification 21.2
test('EventBridge Scheduler sends the planned time to the queue of the schedule, also after a gap of its zone', () => {
  expect(times.map(({ Properties }) => Properties)).toEqual(
    ['cron(0 2 * * ? *)', 'cron(0 3 * * ? *)'].map((ScheduleExpression) =>
      expect.objectContaining({
        ScheduleExpression,
        ScheduleExpressionTimezone: 'Europe/Berlin',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: expect.objectContaining({
          Arn: { 'Fn::GetAtt': [queue, 'Arn'] },
          Input: JSON.stringify({ tick: '<aws.scheduler.scheduled-time>' }),
        }),
      }),
    ),
  );
});

// Specification 21.2. The clocks of Nuuk go from Saturday 23:00 to Sunday 00:00.
test.each([
  ['Europe/Berlin', { weekday: 0 }, ['cron(30 23 ? * SUN *)']],
  ['America/Nuuk', {}, ['cron(30 23 * * ? *)', 'cron(0 0 * * ? *)']],
  ['America/Nuuk', { weekday: 6 }, ['cron(30 23 ? * SAT *)', 'cron(0 0 ? * SUN *)']],
  ['America/Nuuk', { day: 28 }, ['cron(30 23 28 * ? *)', 'cron(0 0 29 * ? *)']],
] as const)('a gap at 23:30 in %s, for %j, can end on the next day', (zone, days, expected) => {
  const expressions = expressionsOf({ kind: 'at', hour: 23, minute: 30, zone, ...days });
  expect(expressions.map((one) => one.expressionString)).toEqual(expected);
});

test('the scheduler can send messages to the two queues, and nothing else', () => {
  const [first] = times as [Part];
  const { RoleArn, DeadLetterConfig } = first.Properties.Target as {
    RoleArn: unknown;
    DeadLetterConfig: { Arn: unknown };
  };
  expect(target(DeadLetterConfig.Arn)).toBe(dead);
  expect(allowedTo(service, target(RoleArn))).toEqual(
    [queue, dead].map((one) => `Allow sqs:SendMessage ${one}`).sort(),
  );
});

test('the function has what its definition states, and no other table', () => {
  const lines = allowed(service, 'reminders-schedule');
  const tables = tablesIn(service, 'reminders-schedule');
  expect(Object.keys(tables).sort()).toEqual(['idempotency', 'loans', 'notes', 'operations']);
  const on = (name: string) =>
    lines
      .filter((line) => line.includes(` ${tables[name]}`))
      .map((line) => line.split(':')[1]?.split(' ')[0]);
  expect(on('operations').sort()).toEqual(['GetItem', 'PutItem', 'UpdateItem']);
  expect(on('idempotency').sort()).toEqual(['GetItem', 'PutItem']);
  expect(lines.filter((line) => line.includes('Scan'))).toEqual([]);
  expect(lines.filter((line) => line.includes('secretsmanager:')).join()).toMatch(/MAIL_KEY-\?{6}$/);
  expect(lines.filter((line) => line.includes('sqs:SendMessage')).sort()).toEqual(
    [queue, dead].map((one) => `Allow sqs:SendMessage ${one}`).sort(),
  );
  expect(variablesOf(service, 'reminders-schedule')).toMatchObject({
    VARIABLE_MAIL_FROM: 'library@example.org',
    DEAD_SCHEDULES: { Ref: dead },
  });
  expect(lambda.Properties).toMatchObject({ Timeout: 300, RecursiveLoop: 'Allow' });
});

test('a run that failed, and one that is late, ring alarms that name the runbook', () => {
  const alarms = service.parts('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
  for (const name of ['dead-schedules', 'late-schedules']) {
    const [alarm, ...others] = alarms.filter((one) => one.AlarmName === `resource-api-${name}`);
    expect(others).toEqual([]);
    expect(alarm?.AlarmDescription).toContain(`docs/operations.md#${name}`);
    expect(RUNBOOK).toContain(`\n### ${name}\n`);
  }
  const [rings] = alarms.filter((one) => one.AlarmName === 'resource-api-dead-schedules');
  expect(JSON.stringify(rings?.Metrics)).toContain(dead);
});

test('a service without schedules has nothing of this', async () => {
  const plain = await synthesize();
  expect(plain.parts('AWS::Scheduler::Schedule')).toEqual([]);
  expect(plain.text).not.toMatch(/-schedules|DEAD_SCHEDULES|SCHEDULE_QUEUES/);
});
