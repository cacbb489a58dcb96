import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { NAMESPACE } from '../../shared/lambda/logs/measures.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { type Part, synthesize, target } from './synthesis.ts';

interface Watching {
  readonly MetricStat?: { readonly Metric: { readonly Namespace: string } };
}

interface Metric {
  readonly MetricName: string;
  readonly Dimensions: readonly { readonly Name: string }[];
}

const service = await synthesize({ observability: 'full' });
const alarms = service.parts('AWS::CloudWatch::Alarm');
const composite = service.parts('AWS::CloudWatch::CompositeAlarm');
const runbook = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const nameOf = ({ Properties }: Part) => String(Properties.AlarmName ?? '').replace('resource-api-', '');
/** The alarm that judges new code of the authorizer, and those that judge new code of resources. */
const isAboutAuthorizer = ({ Properties }: Part) =>
  String(Properties.AlarmDescription).includes('of authorizer');
const judges = alarms.filter((one) => nameOf(one) === '' && !isAboutAuthorizer(one));
const watched = alarms.filter((one) => nameOf(one) !== '');
/** If the metrics exceed one alarm, more alarms have the suffixes `-2` and so on. */
const METRIC_MATH = 'const IF = (holds, yes, no) => (holds ? yes : no), FILL = (value) => value;';
/** Only a service with `onChange` or with schedules has these: changes.test.ts and schedules.test.ts in test/infra/functions. */
const OF_OTHERS = ['dead-changes', 'late-changes', 'dead-schedules', 'late-schedules'];
const names = [...new Set(watched.map((one) => nameOf(one).replace(/-\d+$/, '')))];

test('failures, refusals, waiting work and abandoned work each have an alarm', () => {
  expect(names.sort()).toEqual([
    'availability-fast',
    'availability-fast-now',
    'availability-slow',
    'background-errors',
    'comparison-stopped',
    'dead-events',
    'dead-operations',
    'dead-uploads',
    'dead-webhooks',
    'failures',
    'forbidden',
    'given-up',
    'late-events',
    'late-large-uploads',
    'late-operations',
    'late-uploads',
    'late-webhooks',
    'speed-fast',
    'speed-fast-now',
    'speed-slow',
    'throttled-functions',
    'throttled-reads',
    'throttled-writes',
    'too-many-requests',
    'unauthenticated',
  ]);
});

test('each alarm names its section of the runbook, and the runbook has no other sections', () => {
  const parts = [...alarms, ...composite].map(
    ({ Properties }) => /docs\/operations\.md#([a-z-]+)$/.exec(String(Properties.AlarmDescription))?.[1],
  );
  const [, section = ''] = /^## Alarms$([\s\S]*?)^## /m.exec(runbook) ?? [];
  const headings = [...section.matchAll(/^### (\S+)$/gm)].map(([, name]) => name);
  expect([...new Set([...parts, ...OF_OTHERS])].sort()).toEqual(headings.sort());
  const rows = [...section.matchAll(/^\| (\[.*?\]\(#.*?\)) \|/gm)].flatMap(([, cell = '']) =>
    cell.match(/(?<=#)[a-z-]+/g),
  );
  expect([...rows].sort()).toEqual(headings);
});

test('a synthesis without alarmEmail warns that the alarms reach no person', async () => {
  const warning = expect.stringContaining('set alarmEmail');
  expect(service.warnings).toEqual([warning]);
  expect((await synthesize({ alarmEmail: 'ada@example.com', observability: 'full' })).warnings).toEqual([]);
});

/** The names of the alarms whose begin and end a topic gets. Parts of a composite alarm have no topic. */
function sentTo(topic: string): string[] {
  const sent = [...watched, ...composite].filter(({ Properties }) => {
    const { AlarmActions = [], OKActions = [] } = Properties as {
      AlarmActions?: unknown[];
      OKActions?: unknown[];
    };
    expect(OKActions).toEqual(AlarmActions);
    expect(AlarmActions.length).toBeLessThanOrEqual(1);
    return AlarmActions.map(target).includes(output(topic));
  });
  return sent.map(({ Properties }) => String(Properties.AlarmName).replace(/^resource-api-|-both$/g, ''));
}
const output = (name: string) =>
  target((service.json.Outputs as Record<string, { Value: unknown }>)[name]?.Value);

test('an alarm needs a person at once if clients notice its cause, and all others are tickets', () => {
  const atOnce = sentTo('AlarmTopic');
  // An alarm has at most ten metrics. More functions get a second alarm: `throttled-functions-2`.
  expect([...new Set(atOnce.map((name) => name.replace(/-\d+$/, '')))].sort()).toEqual([
    'availability-fast',
    'forbidden',
    'late-events',
    'speed-fast',
    'throttled-functions',
    'unauthenticated',
  ]);
  const parts = names.filter((name) => /-fast(-now)?$/.test(name));
  const tickets = names.filter((name) => ![...atOnce, ...parts].includes(name));
  expect([...new Set(sentTo('TicketTopic').map((name) => name.replace(/-\d+$/, '')))].sort()).toEqual(
    tickets,
  );
  for (const { Properties } of atLeastOne(watched)) expect(Properties.TreatMissingData).toBe('notBreaching');
});

test('only CloudWatch may write to the topics, over TLS', () => {
  const policies = service.parts('AWS::SNS::TopicPolicy');
  expect(policies).toHaveLength(2);
  for (const { Properties } of policies) {
    const { Statement: statements } = Properties.PolicyDocument as {
      Statement: { Effect: string; Principal: unknown }[];
    };
    expect(statements.map(({ Effect }) => Effect).sort()).toEqual(['Allow', 'Deny']);
    expect(statements.find(({ Effect }) => Effect === 'Allow')?.Principal).toEqual({
      Service: 'cloudwatch.amazonaws.com',
    });
  }
});

test('alarmEmail gets all alarms, unless ticketEmail gets the tickets', async () => {
  const subscribed = async (context: Record<string, string>) =>
    (await synthesize(context)).parts('AWS::SNS::Subscription').map(({ Properties }) => Properties.Endpoint);
  const [alarmEmail, ticketEmail] = ['ada@example.com', 'bob@example.com'];
  expect(await subscribed({ alarmEmail })).toEqual([alarmEmail, alarmEmail]);
  expect(await subscribed({ alarmEmail, ticketEmail })).toEqual([alarmEmail, ticketEmail]);
});

type Expressed = {
  Id: string;
  Expression?: string;
  Period?: number;
  MetricStat?: { Stat: string; Period: number };
};

/** The value of the metric math of an alarm, from the values of its metrics. */
function mathOf(
  name: string,
  values: Readonly<Record<string, number>>,
): { value: number; threshold: number } {
  const { Properties } = watched.find((one) => nameOf(one) === name) as Part;
  const [{ Expression = '' } = {}] = Properties.Metrics as Expressed[];
  const value = new Function(
    ...Object.keys(values),
    `${METRIC_MATH} return ${Expression.replace(/(?<=[a-zA-Z])\d+/g, '')}`,
  )(...Object.values(values)) as number;
  return { value, threshold: Number(Properties.Threshold) };
}
const rings = (name: string, values: Readonly<Record<string, number>>): boolean => {
  const { value, threshold } = mathOf(name, values);
  return value > threshold;
};

describe('an error budget', () => {
  test.each([
    ['availability-fast', { requests: 1000, failed: 14 }, { requests: 1000, failed: 15 }],
    ['availability-fast-now', { requests: 100, failed: 1 }, { requests: 1, failed: 1 }],
    ['availability-slow', { requests: 1000, failed: 6 }, { requests: 1000, failed: 7 }],
    ['speed-fast', { requests: 1000, inTime: 86 }, { requests: 1000, inTime: 85 }],
    ['speed-slow', { requests: 1000, inTime: 95 }, { requests: 1000, inTime: 93 }],
  ])('of %s is used too fast at a number of missed requests', (name, fine, bad) => {
    expect([rings(name, fine), rings(name, bad)]).toEqual([false, true]);
  });

  test('needs three missed requests, also with ten requests an hour', () => {
    for (const name of ['availability-fast', 'availability-slow'])
      expect([2, 3].map((failed) => rings(name, { requests: 10, failed }))).toEqual([false, true]);
    for (const name of ['speed-fast', 'speed-slow'])
      expect([80, 70].map((inTime) => rings(name, { requests: 10, inTime }))).toEqual([false, true]);
  });

  test('is read over an hour and five minutes at once, and over six hours for a ticket', () => {
    const windows = ['availability-fast', 'availability-fast-now', 'availability-slow'].map((name) => {
      const { Properties } = watched.find((one) => nameOf(one) === name) as Part;
      return [
        ...new Set((Properties.Metrics as Expressed[]).flatMap(({ MetricStat }) => MetricStat?.Period ?? [])),
      ];
    });
    expect(windows).toEqual([[3600], [300], [21_600]]);
  });
});

test.each([
  ['unauthenticated', 0.5],
  ['forbidden', 0.5],
  ['too-many-requests', 0.05],
])('the alarm %s compares a share of at least a hundred requests', (name, share) => {
  const few = { requests: 99, refused: 99 };
  const fine = { requests: 1000, refused: 1000 * share };
  expect([few, fine, { ...fine, refused: fine.refused + 1 }].map((values) => rings(name, values))).toEqual([
    false,
    false,
    true,
  ]);
});

const filterOf = (metric: string) =>
  service
    .parts('AWS::Logs::MetricFilter')
    .find((one) => JSON.stringify(one).includes(`"MetricName":"${metric}"`)) as Part;

test('given-up counts the lines of the dead-letters function about work that ended, and no failure of its own', () => {
  const { Properties } = filterOf('GivenUp');
  const { LogGroup } = service.functionOf('dead-letters').Properties.LoggingConfig as { LogGroup: unknown };
  expect(Properties).toMatchObject({ LogGroupName: LogGroup, FilterPattern: '{ $.times = "*" }' });
  expect(watched.find((one) => nameOf(one) === 'given-up')?.Properties).toMatchObject({
    Namespace: 'ResourceApi/resource-api',
    MetricName: 'GivenUp',
  });
});

test('a dead letter counts also while a function that fails hides it', () => {
  for (const name of ['dead-operations', 'dead-uploads', 'dead-events', 'dead-webhooks'])
    expect([rings(name, { m: 0 }), rings(name, { m: 1 })]).toEqual([false, true]);
  const { Properties } = watched.find((one) => nameOf(one) === 'dead-operations') as Part;
  for (const state of ['Visible', 'NotVisible'])
    expect(JSON.stringify(Properties.Metrics)).toContain(`ApproximateNumberOfMessages${state}`);
});

test('late-webhooks watches the queues that no receiver can hold up', () => {
  const { Properties } = watched.find((one) => nameOf(one) === 'late-webhooks') as Part;
  const text = JSON.stringify(Properties);
  expect(Properties).toMatchObject({ Threshold: 300, ComparisonOperator: 'GreaterThanThreshold' });
  for (const name of ['webhooksproven', 'webhooksfanout']) expect(text).toContain(name);
  expect(text).not.toContain('webhookswaiting');
});

test('a filter counts the refused requests of the access log by status', async () => {
  const { Properties } = filterOf('Refused');
  expect(target(Properties.LogGroupName)).toMatch(/accesslog/);
  expect(Properties).toMatchObject({
    FilterPattern: '{ ($.status = "401") || ($.status = "403") || ($.status = "429") }',
    MetricTransformations: [
      {
        MetricNamespace: 'ResourceApi/resource-api',
        MetricName: 'Refused',
        Dimensions: [{ Key: 'status', Value: '$.status' }],
      },
    ],
  });
});

describe('observability', () => {
  const AWS_METRICS = /^AWS\//;
  const watches = ({ Properties }: Part) =>
    ((Properties.Metrics ?? [{ MetricStat: { Metric: Properties } }]) as Watching[]).flatMap(
      ({ MetricStat }) => (MetricStat ? [MetricStat.Metric.Namespace] : []),
    );

  test('basic has at most 15 metrics in alarms, all of AWS, and nothing that costs more', async () => {
    const basic = await synthesize();
    const basicAlarms = basic.parts('AWS::CloudWatch::Alarm');
    expect(basicAlarms.map(nameOf).sort()).toEqual([
      'dead-events',
      'dead-operations',
      'dead-uploads',
      'dead-webhooks',
      'failures',
      'late-events',
      'late-operations',
      'late-webhooks',
      'throttled-functions',
    ]);
    const namespaces = basicAlarms.flatMap(watches);
    expect(namespaces.length).toBeLessThanOrEqual(15);
    expect(namespaces.filter((one) => !AWS_METRICS.test(one))).toEqual([]);
    for (const type of ['Dashboard', 'CompositeAlarm'])
      expect(basic.parts(`AWS::CloudWatch::${type}`)).toEqual([]);
    expect(basic.parts('AWS::Logs::MetricFilter')).toHaveLength(1);
    // New code is judged by the pre-traffic check and by the alarm about all requests.
    const groups = basic.parts('AWS::CodeDeploy::DeploymentGroup');
    expect(groups.length).toBeGreaterThan(10);
    for (const { Properties } of groups)
      expect((Properties.AlarmConfiguration as { Alarms: unknown[] }).Alarms).toHaveLength(1);
  });

  test('none has no alarm, and a stack that keeps data warns of it', async () => {
    const none = await synthesize({ observability: 'none', deployment: 'all-at-once' });
    expect(none.parts('AWS::CloudWatch::Alarm')).toEqual([]);
    expect(none.parts('AWS::SNS::Topic')).toEqual([]);
    expect(none.warnings).toEqual([expect.stringContaining('no alarm rings')]);
    expect(none.json.Outputs).toHaveProperty('DeadOperations');
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
  for (const { Properties } of atLeastOne(alarms)) {
    const metrics = (Properties.Metrics ?? []) as { MetricStat?: unknown }[];
    expect(metrics.filter((one) => one.MetricStat).length).toBeLessThanOrEqual(10);
  }
});

describe('the dashboard', () => {
  const { DashboardName, DashboardBody } = service.one('AWS::CloudWatch::Dashboard').Properties;
  const body = JSON.stringify(DashboardBody);

  test('has the region in its name, because an account has one dashboard of a name in all regions', () => {
    expect(JSON.stringify(DashboardName)).toContain('{"Ref":"AWS::Region"}');
  });

  test.each(['5XXError', 'Refused', 'Latency', 'ApproximateAgeOfOldestMessage', 'ThrottledRequests'])(
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
    expect(judges).toHaveLength(served.length - 1);
    for (const { Properties } of judges) {
      const metrics = JSON.stringify(Properties.Metrics);
      for (const name of ['Failures', 'Requests', 'Errors'])
        expect(metrics).toContain(`"MetricName":"${name}"`);
    }
  });

  test('may fail twice in a minute, because the network fails too', () => {
    for (const { Properties } of atLeastOne(judges)) {
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

  test('of the authorizer fails if it refuses far more tokens than the code before it', () => {
    const { Properties } = alarms.find(isAboutAuthorizer) as Part;
    const [{ Expression = '' } = {}] = Properties.Metrics as { Expression?: string }[];
    const excess = new Function(
      'errors',
      'invocations',
      'refused',
      'all',
      `${METRIC_MATH} return ${Expression}`,
    ) as (errors: number, invocations: number, refused: number, all: number) => number;
    const rings = (...counts: [number, number, number, number]) =>
      excess(...counts) > Number(Properties.Threshold);
    // Half of all tokens are bad, for either code; nine refusals; no code before it.
    expect([rings(50, 100, 500, 1000), rings(9, 9, 9, 100), rings(20, 100, 20, 100)]).toEqual([
      false,
      false,
      false,
    ]);
    expect([rings(100, 100, 100, 1000), rings(60, 100, 330, 1000), rings(30, 100, 30, 100)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('is rolled back if it fails or if too many requests fail', () => {
    const failures = watched.find((one) => nameOf(one) === 'failures') as Part;
    for (const { Properties } of atLeastOne(groups)) {
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

test('the alarm on stopped comparisons counts the metric of the worker', () => {
  const [alarm] = watched.filter((one) => nameOf(one) === 'comparison-stopped');
  expect(alarm?.Properties).toMatchObject({
    Namespace: 'ResourceApi',
    MetricName: 'ComparisonsStopped',
    Dimensions: [{ Name: 'service', Value: 'resource-api' }],
    Threshold: 0,
    AlarmActions: [{ Ref: expect.stringContaining('tickets') }],
  });
});
