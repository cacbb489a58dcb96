import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { RUNBOOK_COMMAND } from '../../../service/folders.ts';
import type { Options } from '../../options.ts';
import { type Condition, conditions, FIVE_MINUTES, LARGEST, type Watched } from './conditions.ts';
import { topics, type Urgency } from './topics.ts';

/**
 * Alarms on failures and delays that clients notice, on refused requests, on late work and on abandoned work: all of them, or
 * with the basic observability those on what is lost or fails for clients.
 * The runbook says what to do about each. The topic of its urgency gets each alarm.
 *
 * Source: Amazon CloudWatch User Guide, "Best practice alarm recommendations for AWS services".
 */
export class Alarms extends Construct {
  /** The alarm on the share of failed requests. It rolls a deployment back. */
  readonly failures: Alarm;
  readonly #topics: Readonly<Record<Urgency, Topic>>;
  readonly #options: Options;

  constructor(scope: Construct, id: string, { watched, options }: { watched: Watched; options: Options }) {
    super(scope, id);
    this.#topics = topics(this, options);
    this.#options = options;
    const all = conditions(watched, options);
    const wanted = options.observability === 'full' ? all : basicOf(all, watched);
    for (const [name, condition] of Object.entries(wanted)) this.#add(name, condition);
    this.failures = this.node.findChild('failures') as Alarm;
    this.#output('AlarmTopic', this.#topics.now.topicArn, 'Where alarms go that need a person at once');
    this.#output('TicketTopic', this.#topics.ticket.topicArn, 'Where alarms go that can wait for days');
  }

  #output(id: string, value: string, description: string): void {
    new CfnOutput(Stack.of(this), id, { value, description });
  }

  #add(name: string, condition: Condition): void {
    const { and, urgency = 'ticket' } = condition;
    const alarms = combined(condition).map((one, at) =>
      this.#alarm(name, at === 0 ? name : `${name}-${at + 1}`, condition, one),
    );
    const action = new SnsAction(this.#topics[urgency]);
    for (const alarm of and ? [this.#both(name, condition, { alarms, and })] : alarms) {
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  #alarm(
    name: string,
    id: string,
    { above, periods = 1, of = periods, description }: Condition,
    metric: IMetric,
  ) {
    return new Alarm(this, id, {
      alarmName: `${this.#options.name}-${id}`,
      alarmDescription: this.#explained(name, description),
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: of,
      datapointsToAlarm: periods,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }

  /** An alarm that rings only while the other metric is above the threshold too. Its parts do not ring. */
  #both(
    name: string,
    condition: Condition,
    { alarms, and }: { alarms: readonly Alarm[]; and: IMetric },
  ): AlarmBase {
    const parts = [...alarms, this.#alarm(name, `${name}-now`, condition, and)];
    return new CompositeAlarm(this, `${name}-both`, {
      compositeAlarmName: `${this.#options.name}-${name}-both`,
      alarmDescription: this.#explained(name, condition.description),
      alarmRule: AlarmRule.allOf(...parts.map((one) => AlarmRule.fromAlarm(one, AlarmState.ALARM))),
    });
  }

  #explained(name: string, description: string): string {
    return `${description} What to do: ${RUNBOOK_COMMAND} ${name}, or ${this.#options.runbook}#${name}`;
  }
}

/** Alarms of the basic observability, beside those on dead letters. They watch metrics of AWS, which cost nothing themselves. */
const BASIC = ['failures', 'late-events', 'late-operations', 'late-webhooks'];

/** Returns the conditions of the basic observability: failed requests, throttled functions, late and dead work. */
function basicOf(all: Record<string, Condition>, { dead }: Watched): Record<string, Condition> {
  const queues = new Map(Object.entries(dead).map(([name, queue]) => [`dead-${name}`, queue]));
  const basic = Object.entries(all).flatMap(([name, one]): [string, Condition][] => {
    if (name === 'throttled-functions') return [[name, { ...one, metric: THROTTLED_OF_ACCOUNT }]];
    const metric = queues.get(name)?.metricApproximateNumberOfMessagesVisible(LARGEST);
    if (metric) return [[name, { ...one, metric }]];
    return BASIC.includes(name) ? [[name, one]] : [];
  });
  return Object.fromEntries(basic);
}

/**
 * The throttled invocations of all functions of the account in the region, in one metric.
 *
 * Source: AWS Lambda Developer Guide, "Types of metrics for Lambda functions" (dimensions).
 */
const THROTTLED_OF_ACCOUNT = new Metric({
  namespace: 'AWS/Lambda',
  metricName: 'Throttles',
  statistic: Stats.SUM,
  period: FIVE_MINUTES,
});

/** Maximum number of metrics in one alarm. Source: Amazon CloudWatch API Reference, PutMetricAlarm. */
const TOGETHER = 10;

/** Returns the sum or maximum of metrics, and several ones if there are more metrics than one alarm allows. */
function combined({ metric, maximum }: Pick<Condition, 'metric' | 'maximum'>): IMetric[] {
  if (!Array.isArray(metric)) return [metric as IMetric];
  const [some, others] = [metric.slice(0, TOGETHER), metric.slice(TOGETHER)];
  const usingMetrics = Object.fromEntries(some.map((one, at) => [`m${at}`, one]));
  const values = Object.keys(usingMetrics).map((name) => `FILL(${name}, 0)`);
  const expression = new MathExpression({
    expression: maximum ? `MAX([${values.join(', ')}])` : values.join(' + '),
    usingMetrics,
    period: Duration.minutes(5),
    label: 'all together',
  });
  return [expression, ...(others.length > 0 ? combined({ metric: others, maximum }) : [])];
}
