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
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { RUNBOOK_COMMAND } from '../../../service/folders.ts';
import { capitalize } from '../../../shared/resource/description/fields.ts';
import type { Options } from '../../options.ts';
import { type Condition, conditions, type Watched } from './conditions.ts';
import { topics, type Urgency } from './topics.ts';

/**
 * Alarms on failures and delays that clients notice, on refused requests, on late work and on abandoned work.
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
    for (const [name, condition] of Object.entries(conditions(watched, options))) this.#add(name, condition);
    this.failures = this.node.findChild('failures') as Alarm;
    this.#output('AlarmTopic', this.#topics.now.topicArn, 'Where alarms go that need a person at once');
    this.#output('TicketTopic', this.#topics.ticket.topicArn, 'Where alarms go that can wait for days');
    for (const [name, { queueUrl }] of Object.entries(watched.dead))
      this.#output(`Dead${capitalize(name)}`, queueUrl, `Where ${name} are that failed for good`);
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
