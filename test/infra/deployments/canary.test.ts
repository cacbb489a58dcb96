import { describe, expect, test } from '@jest/globals';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { type Part, synthesize, target } from '../synthesis.ts';

/**
 * A drill of a canary. The test plays the parts of CloudWatch and CodeDeploy over the template: each minute,
 * it evaluates the alarms of a deployment group, and stops the canary as soon as one of them rings.
 *
 * Source: AWS CodeDeploy User Guide, "Monitoring deployments with Amazon CloudWatch alarms in CodeDeploy".
 */
const service = await synthesize({ observability: 'full' });
const groups = service.parts('AWS::CodeDeploy::DeploymentGroup');

/** The sums of a minute, by the name of a metric. A metric without data has none. */
type Minute = Readonly<Record<string, number>>;

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: { readonly MetricName: string };
    readonly Period: number;
    readonly Stat: string;
  };
  readonly ReturnData: boolean;
}

/** The sum or the average of a metric in a period; undefined without data. */
function statistic({ Metric, Stat }: NonNullable<Query['MetricStat']>, minutes: readonly Minute[]) {
  const values = minutes.flatMap((minute) => minute[Metric.MetricName] ?? []);
  if (values.length === 0) return undefined;
  const sum = values.reduce((total, value) => total + value);
  return Stat === 'Average' ? sum / values.length : sum;
}

/** The value of an alarm in a period: its expression over its metrics, or its only metric. */
function measured({ Properties }: Part, minutes: readonly Minute[]): number | undefined {
  const queries = Properties.Metrics as readonly Query[];
  const stats = queries.flatMap(({ Id, MetricStat }) => (MetricStat ? [{ Id, MetricStat }] : []));
  const returned = queries.find(({ ReturnData }) => ReturnData);
  const math = new Function(
    ...stats.map(({ Id }) => Id),
    `const IF = (holds, yes, no) => (holds ? yes : no), FILL = (value, other) => value ?? other;
     return ${returned?.Expression ?? returned?.Id}`,
  );
  return math(...stats.map(({ MetricStat }) => statistic(MetricStat, minutes)));
}

/** True if an alarm rings after these minutes. A period without a value is fine for each alarm of a canary. */
function rings(alarm: Part, minutes: readonly Minute[]): boolean {
  const { Metrics, EvaluationPeriods, DatapointsToAlarm, Threshold } = alarm.Properties;
  const length =
    Math.max(...(Metrics as readonly Query[]).map((query) => query.MetricStat?.Period ?? 0)) / 60;
  const exceeded = Array.from({ length: Number(EvaluationPeriods) }, (_, back) => {
    const end = minutes.length - back * length;
    const value = measured(alarm, minutes.slice(Math.max(0, end - length), Math.max(0, end)));
    return value !== undefined && value > Number(Threshold);
  });
  return exceeded.filter(Boolean).length >= Number(DatapointsToAlarm ?? EvaluationPeriods);
}

/** Runs a canary of five minutes. Returns the minute after which CodeDeploy rolls it back; undefined: it does not. */
function takenBackAfter({ Properties }: Part, minutes: readonly Minute[]): number | undefined {
  const { Alarms } = Properties.AlarmConfiguration as {
    readonly Alarms: readonly { readonly Name: unknown }[];
  };
  const alarms = Alarms.map(({ Name }) => service.byId(target(Name)));
  const at = minutes.findIndex((_, minute) => alarms.some((one) => rings(one, minutes.slice(0, minute + 1))));
  return at < 0 ? undefined : at + 1;
}

const always = (minute: Minute): Minute[] => Array.from({ length: 5 }, () => minute);
const GOOD: Minute = { Requests: 1000, Failures: 0, Errors: 0, '5XXError': 0 };

const isAboutAuthorizer = ({ Properties }: Part): boolean =>
  JSON.stringify(Properties.AlarmConfiguration).includes('authorizer');
const resources = groups.filter((one) => !isAboutAuthorizer(one));

describe.each(resources.map((group): [string, Part] => [group.id, group]))(
  'a canary of new code by %s',
  (_, group) => {
    test.each<[string, readonly Minute[], number | undefined]>([
      ['goes on while all requests succeed', always(GOOD), undefined],
      ['goes on without any request', always({}), undefined],
      [
        'goes on if two requests fail in each minute',
        always({ ...GOOD, Requests: 10, Failures: 2 }),
        undefined,
      ],
      ['ends after a minute if a tenth of the requests fails', always({ ...GOOD, Failures: 100 }), 1],
      ['ends after a minute if the code does not start', always({ Errors: 100 }), 1],
      ['ends as soon as the code begins to fail', [GOOD, GOOD, { ...GOOD, Failures: 60 }, GOOD, GOOD], 3],
      ['goes on if 5 % of the requests fail', always({ ...GOOD, Failures: 50 }), undefined],
    ])('%s', (_title, minutes, end) => {
      expect(takenBackAfter(group, minutes)).toBe(end);
    });
  },
);

test('a canary ends if other requests of the service fail for three minutes', () => {
  for (const group of atLeastOne(groups)) {
    const { Alarms } = group.Properties.AlarmConfiguration as { readonly Alarms: readonly unknown[] };
    expect(Alarms).toHaveLength(2);
  }
  expect(takenBackAfter(resources[0] as Part, always({ ...GOOD, '5XXError': 0.02 }))).toBe(3);
});
