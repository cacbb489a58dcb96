import { describe, expect, test } from '@jest/globals';
import { type Part, synthesize, target } from './synthesis.ts';

/**
 * A drill of a trial of new code. The test plays the parts of CloudWatch and CodeDeploy over the template: each minute,
 * it evaluates the alarms of a deployment group, and stops the trial as soon as one of them rings.
 *
 * Source: AWS CodeDeploy User Guide, "Monitoring deployments with Amazon CloudWatch alarms in CodeDeploy".
 */
const service = await synthesize();
const groups = service.parts('AWS::CodeDeploy::DeploymentGroup');

/** The sums of a minute, by the name of a metric. A metric without data has none. */
type Minute = Readonly<Record<string, number>>;

interface Query {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: { readonly Metric: { readonly MetricName: string }; readonly Period: number };
}

/** The value of an alarm in a period, by its metric or by its expression. */
function measured({ Properties }: Part, minutes: readonly Minute[]): number | undefined {
  const sumOf = (metric: string) => {
    const values = minutes.flatMap((minute) => minute[metric] ?? []);
    return values.length > 0 ? values.reduce((sum, value) => sum + value) : undefined;
  };
  const { MetricName, Statistic, Metrics = [] } = Properties;
  if (typeof MetricName === 'string') {
    const sum = sumOf(MetricName);
    return Statistic === 'Average' && sum !== undefined ? sum / minutes.length : sum;
  }
  const queries = Metrics as readonly Query[];
  const stats = queries.filter(({ MetricStat }) => MetricStat);
  const [expressed] = queries.filter(({ Expression }) => Expression);
  const math = new Function(
    ...stats.map(({ Id }) => Id),
    `const IF = (holds, yes, no) => (holds ? yes : no), FILL = (value, other) => value ?? other;
     return ${expressed?.Expression}`,
  );
  return math(...stats.map(({ MetricStat }) => sumOf(String(MetricStat?.Metric.MetricName))));
}

/** Whether an alarm rings after these minutes. A period without a value is fine for each alarm of a trial. */
function rings(alarm: Part, minutes: readonly Minute[]): boolean {
  const { Metrics, Period, EvaluationPeriods, DatapointsToAlarm, Threshold } = alarm.Properties;
  const stats = (Metrics ?? []) as readonly Query[];
  const length = Number(Period ?? Math.max(...stats.map(({ MetricStat }) => MetricStat?.Period ?? 0))) / 60;
  const exceeded = Array.from({ length: Number(EvaluationPeriods) }, (_, back) => {
    const end = minutes.length - back * length;
    const value = measured(alarm, minutes.slice(Math.max(0, end - length), Math.max(0, end)));
    return value !== undefined && value > Number(Threshold);
  });
  return exceeded.filter(Boolean).length >= Number(DatapointsToAlarm ?? EvaluationPeriods);
}

/** Runs a trial of five minutes. Returns the minute after which CodeDeploy takes the code back; undefined: it does not. */
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
  'a trial of new code by %s',
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

test('a trial ends if other requests of the service fail for three minutes', () => {
  for (const group of groups) {
    const { Alarms } = group.Properties.AlarmConfiguration as { readonly Alarms: readonly unknown[] };
    expect(Alarms).toHaveLength(2);
  }
  expect(takenBackAfter(resources[0] as Part, always({ ...GOOD, '5XXError': 0.02 }))).toBe(3);
});
