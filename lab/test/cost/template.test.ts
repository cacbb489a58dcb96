import { expect, test } from '@jest/globals';
import { REFUSALS } from '../../../infra/constructs/api/api-metrics.ts';
import { STACK, type Stack, stackOf } from '../../../infra/cost/fixed-costs.ts';
import { registry } from '../../../service/registry.ts';
import { noUsage } from '../../../shared/aws/meter.ts';
import { embeddedMetrics } from '../../../shared/lambda/logs/measures.ts';
import { SCHEDULES, SERVICES } from '../../../test/infra/services.ts';
import { type Synthesis, synthesize } from '../../../test/infra/synthesis.ts';
import { ACCESS_LINE } from '../../../tools/cost/assumptions.ts';
import { cappedInAll } from '../../cost/model/caps.ts';

const service = await synthesize({ observability: 'full' });
const usual = await synthesize();
const protectedOne = await synthesize({ waf: 'count' });

const WITHOUT_METRICS = ['audit', 'pre-traffic'];

interface Alarm {
  readonly Metrics?: readonly { readonly MetricStat?: object }[];
}

/** The metrics that a function publishes for an invocation in which none is zero. */
function metricsOfInvocation(): number {
  const usage = { ...noUsage(), readUnits: 1, writeUnits: 1 };
  const measured = { service: 'x', resource: 'x', duration: 1, coldStart: true, failed: true, usage };
  const { _aws } = embeddedMetrics(measured, 0) as { _aws: { CloudWatchMetrics: { Metrics: object[] }[] } };
  return _aws.CloudWatchMetrics.reduce((sum, { Metrics }) => sum + Metrics.length, 0);
}

/** Counts in a template what costs by the month. */
function countedIn({
  parts,
}: Synthesis): Omit<
  Stack,
  'basicMetrics' | 'refusalMetrics' | 'metricsEach' | 'firewallRules' | 'neededSecrets'
> {
  const alarms = parts('AWS::CloudWatch::Alarm').map(({ Properties }) => Properties as Alarm);
  const metrics = alarms.map(({ Metrics }) => Metrics?.filter((one) => one.MetricStat).length ?? 1);
  const functions = parts('AWS::Lambda::Function').filter(
    ({ Metadata }) => Metadata?.SamResourceId && !WITHOUT_METRICS.includes(String(Metadata.SamResourceId)),
  );
  const mappings = parts('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => !('StartingPosition' in Properties),
  );
  return {
    alarmMetrics: metrics.reduce((sum, one) => sum + one, 0),
    compositeAlarms: parts('AWS::CloudWatch::CompositeAlarm').length,
    dashboards: parts('AWS::CloudWatch::Dashboard').length,
    measuredFunctions: functions.length,
    queues: mappings.length,
    secrets: parts('AWS::SecretsManager::Secret').length,
  };
}

test('the model has the monthly costs of the template', () => {
  const { Rules } = protectedOne.one('AWS::WAFv2::WebACL').Properties as { Rules: unknown[] };
  expect({
    ...countedIn(service),
    basicMetrics: countedIn(usual).alarmMetrics,
    refusalMetrics: REFUSALS.length,
    metricsEach: metricsOfInvocation(),
    firewallRules: Rules.length,
    neededSecrets: 0,
  }).toEqual(STACK);
  expect(service.parts('AWS::KMS::Key')).toEqual([]);
});

test('a stack without options has no client for programs, no dashboard and no composite alarm', () => {
  // A client for people costs nothing: Amazon Cognito bills the people.
  const programs = usual
    .parts('AWS::Cognito::UserPoolClient')
    .filter(({ Properties }) => Properties.GenerateSecret === true);
  const { dashboards, compositeAlarms } = countedIn(usual);
  expect([programs.length, dashboards, compositeAlarms]).toEqual([0, 0, 0]);
});

test('the model has the monthly costs of the template of the lending library', async () => {
  const variables = { MAIL_URL: 'https://mail.example/' };
  // An error if the rules of lint find something.
  const library = await synthesize({ observability: 'full' }, 'of the library', { variables, judged: true });
  const { alarmMetrics } = countedIn(await synthesize({}, 'of the library', { variables }));
  expect(stackOf(SERVICES['of the library'], SCHEDULES['of the library'])).toMatchObject({
    ...countedIn(library),
    basicMetrics: alarmMetrics,
  });
});

test('the template limits the spending on every table and index', () => {
  const places = service.parts('AWS::DynamoDB::GlobalTable').reduce((sum, { Properties }) => {
    const { GlobalSecondaryIndexes: indexes = [] } = Properties as { GlobalSecondaryIndexes?: unknown[] };
    return sum + 1 + indexes.length;
  }, 0);
  expect(cappedInAll(registry)).toBe(places);
});

test('a line of the access log has the properties that the stage names', () => {
  const { AccessLogSetting } = service.one('AWS::ApiGateway::Stage').Properties;
  const { Format } = AccessLogSetting as { Format: string };
  expect(Object.keys(JSON.parse(ACCESS_LINE))).toEqual(Object.keys(JSON.parse(Format)));
});
