import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { NAMESPACE } from '../../shared/lambda/measures.ts';
import { type Part, synthesize, target } from './synthesis.ts';

interface Metric {
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string }[];
}

const service = await synthesize();
const alarms = service.parts('AWS::CloudWatch::Alarm');
const runbook = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const nameOf = ({ Properties }: Part) => String(Properties.AlarmName ?? '').replace('resource-api-', '');
const watched = alarms.filter((one) => nameOf(one) !== '');
/** If the metrics exceed one alarm, more alarms have the suffixes `-2` and so on. */
const METRIC_MATH = 'const IF = (holds, yes, no) => (holds ? yes : no), FILL = (value) => value;';
const names = [...new Set(watched.map((one) => nameOf(one).replace(/-\d+$/, '')))];

test('client errors, waiting work and abandoned work each have an alarm', () => {
  expect(names.sort()).toEqual([
    'background-errors',
    'dead-events',
    'dead-operations',
    'dead-uploads',
    'failures',
    'given-up',
    'late-events',
    'late-large-uploads',
    'late-operations',
    'late-uploads',
    'latency',
    'throttled-functions',
    'throttled-reads',
    'throttled-writes',
  ]);
});

test('each alarm names its section of the runbook, and the runbook has no other sections', () => {
  const parts = alarms.map(
    ({ Properties }) => /docs\/operations\.md#([a-z-]+)$/.exec(String(Properties.AlarmDescription))?.[1],
  );
  const [, section = ''] = /^## Alarms$([\s\S]*?)^## /m.exec(runbook) ?? [];
  const headings = [...section.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect([...new Set(parts)].sort()).toEqual(headings.sort());
});

test('a synthesis without alarmEmail warns that the alarms reach no person', async () => {
  const warning = expect.stringContaining('set alarmEmail');
  expect(service.warnings).toEqual([warning]);
  expect((await synthesize({ alarmEmail: 'ada@example.com' })).warnings).toEqual([]);
});

test('alarms and their ends go to a topic that only CloudWatch may write to, over TLS', () => {
  const topic = service.one('AWS::SNS::Topic').id;
  for (const { Properties } of watched) {
    expect((Properties.AlarmActions as unknown[]).map(target)).toEqual([topic]);
    expect((Properties.OKActions as unknown[]).map(target)).toEqual([topic]);
    expect(Properties.TreatMissingData).toBe('notBreaching');
  }
  const { PolicyDocument } = service.one('AWS::SNS::TopicPolicy').Properties as {
    PolicyDocument: { Statement: { Effect: string; Principal: unknown }[] };
  };
  const { Statement: statements } = PolicyDocument;
  expect(statements.map(({ Effect }) => Effect).sort()).toEqual(['Allow', 'Deny']);
  expect(statements.find(({ Effect }) => Effect === 'Allow')?.Principal).toEqual({
    Service: 'cloudwatch.amazonaws.com',
  });
});

test('the throttling alarms count each operation of a table and its indexes', () => {
  const metrics = watched.flatMap(
    ({ Properties }) => (Properties.Metrics ?? []) as { MetricStat?: { Metric: Metric } }[],
  );
  const throttled = metrics.flatMap(({ MetricStat }) =>
    MetricStat?.Metric.MetricName === 'ThrottledRequests'
      ? [MetricStat.Metric.Dimensions.map(({ Name }) => Name)]
      : [],
  );
  expect(throttled.length).toBe(6 * service.parts('AWS::DynamoDB::GlobalTable').length);
  for (const dimensions of throttled) expect(dimensions.sort()).toEqual(['Operation', 'TableName']);
});

test('background work counts as failed if a batch returns, which Lambda does not count as an error', () => {
  const alarm = watched.find((one) => nameOf(one) === 'background-errors') as Part;
  const metrics = (Properties: Part['Properties']) => JSON.stringify(Properties.Metrics);
  for (const name of ['worker', 'uploads', 'events', 'dead-letters', 'sweeper'])
    expect(metrics(alarm.Properties)).toContain(`"Value":"${name}"`);
});

test('no sum has more metrics than an alarm takes', () => {
  for (const { Properties } of alarms) {
    const metrics = (Properties.Metrics ?? []) as { MetricStat?: unknown }[];
    expect(metrics.filter((one) => one.MetricStat).length).toBeLessThanOrEqual(10);
  }
});

describe('the dashboard', () => {
  const body = JSON.stringify(service.one('AWS::CloudWatch::Dashboard').Properties.DashboardBody);

  test.each(['5XXError', 'Latency', 'ApproximateAgeOfOldestMessage', 'ThrottledRequests'])(
    'shows %s',
    (metric) => {
      expect(body).toContain(metric);
    },
  );

  test.each(['Requests', 'Duration', 'ColdStarts', 'ReadUnits', 'WriteUnits'])(
    'shows the service’s own %s, by resource',
    (metric) => {
      expect(body).toMatch(new RegExp(`${NAMESPACE},service,resource[^']*MetricName=[\\\\"]+${metric}`));
    },
  );
});

describe('a new version of the code', () => {
  const groups = service.parts('AWS::CodeDeploy::DeploymentGroup');
  const served = service.parts('AWS::Lambda::Alias');

  test('gets a tenth of the requests first, for every function of the API', () => {
    expect(groups).toHaveLength(served.length);
    expect(served.length).toBeGreaterThan(0);
    for (const { Properties } of groups)
      expect(Properties.DeploymentConfigName).toBe('CodeDeployDefault.LambdaCanary10Percent5Minutes');
  });

  test('fails if its function responds 500 after an exception, which Lambda does not count as an error', () => {
    const judges = alarms.filter((one) => nameOf(one) === '');
    expect(judges).toHaveLength(served.length);
    for (const { Properties } of judges) {
      const metrics = JSON.stringify(Properties.Metrics);
      for (const name of ['Failures', 'Requests', 'Errors'])
        expect(metrics).toContain(`"MetricName":"${name}"`);
    }
  });

  test('may fail twice in a minute, because the network fails too', () => {
    for (const { Properties } of alarms.filter((one) => nameOf(one) === '')) {
      const [{ Expression = '' } = {}] = Properties.Metrics as { Expression?: string }[];
      const failedShare = (requests: number, failures: number, errors: number): number =>
        new Function('requests', 'failures', 'errors', `${METRIC_MATH} return ${Expression}`)(
          requests,
          failures,
          errors,
        );
      const rings = (...counts: [number, number, number]) =>
        failedShare(...counts) > Number(Properties.Threshold);
      expect([rings(2, 2, 0), rings(0, 0, 2), rings(100, 4, 0)]).toEqual([false, false, false]);
      expect([rings(3, 3, 0), rings(0, 0, 3), rings(100, 6, 0)]).toEqual([true, true, true]);
    }
  });

  test('is rolled back if it fails or if too many requests fail', () => {
    const failures = watched.find((one) => nameOf(one) === 'failures') as Part;
    for (const { Properties } of groups) {
      const { Alarms, Enabled } = Properties.AlarmConfiguration as {
        Alarms: { Name: unknown }[];
        Enabled: boolean;
      };
      const ids = Alarms.map(({ Name }) => target(Name));
      expect([Enabled, ids.length]).toEqual([true, 2]);
      expect(ids).toContain(failures.id);
      expect(Properties.AutoRollbackConfiguration).toEqual({
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM']),
      });
    }
  });
});
