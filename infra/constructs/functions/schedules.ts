import { CfnOutput, NestedStack, TimeZone } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { CfnSchedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { storedOperations } from '../../../shared/operations/record/operations.ts';
import { timesAfterGaps, WEEKDAYS, type When } from '../../../shared/resource/planned-times.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { type Schedule, scheduleFunction } from '../../../shared/resource/schedule.ts';
import { recordedAnswers } from '../../../shared/store/idempotency/answers.ts';
import { ATTEMPTS } from '../../attempts.ts';
import type { Options } from '../../options.ts';
import { allowing, dynamoDb, grantFacts, type Stores } from '../stores/grants.ts';
import { invisibleFor, QUEUE, WORK_SECONDS } from '../stores/queue.ts';
import { BackgroundFunction } from './bundled-function.ts';
import { giveNeeds } from './needs.ts';
import { environmentOf } from './resource-function.ts';

export interface SchedulesProps {
  readonly schedules: readonly Schedule[];
  readonly stores: Stores;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
  readonly options: Options;
}

/**
 * The schedules. EventBridge Scheduler sends a message at each planned time to the queue of a schedule, whose function runs
 * the code. The function sends the next message to its own queue if its time is over. A run that fails for good leaves a
 * message in the dead-letter queue. Each schedule has a nested stack, as each resource has.
 *
 * Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Managing targets"; AWS Lambda Developer Guide, "Using
 * Lambda with Amazon SQS".
 */
export class Schedules extends Construct {
  /** By name, such as `reminders-schedule`. */
  readonly functions: Readonly<Record<string, Lambda>>;
  readonly queues: readonly Queue[];
  readonly dead: Queue;

  constructor(scope: Construct, id: string, { schedules, stores, bundleOf, options }: SchedulesProps) {
    super(scope, id);
    this.dead = new Queue(this, 'dead', QUEUE);
    const made = schedules.map((schedule) => {
      const { name, about } = schedule;
      const own = options.local
        ? this
        : new NestedStack(this, `${name}-stack`, { description: `The schedule ${name}` });
      const queue = new Queue(own, `${name}-queue`, {
        ...QUEUE,
        visibilityTimeout: invisibleFor(WORK_SECONDS),
        deadLetterQueue: { queue: this.dead, maxReceiveCount: ATTEMPTS.operations },
      });
      const lambda = this.#function(own, {
        schedule,
        queue,
        stores,
        bundle: bundleOf(scheduleFunction(schedule)),
        options,
      });
      const role = new Role(own, `${name}-sender`, {
        assumedBy: new ServicePrincipal('scheduler.amazonaws.com'),
        description: `Sends a message at each planned time of ${name}`,
      });
      allowing(lambda)({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
      allowing(role)({ actions: ['sqs:SendMessage'], resources: [queue.queueArn, this.dead.queueArn] });
      for (const [at, expression] of expressionsOf(schedule.when).entries())
        new CfnSchedule(own, `${name}-time${at}`, {
          description: about.slice(0, 512),
          flexibleTimeWindow: { mode: 'OFF' },
          scheduleExpression: expression.expressionString,
          scheduleExpressionTimezone: expression.timeZone?.timezoneName,
          target: {
            arn: queue.queueArn,
            roleArn: role.roleArn,
            input: JSON.stringify({ tick: '<aws.scheduler.scheduled-time>' }),
            deadLetterConfig: { arn: this.dead.queueArn },
          },
        });
      new CfnOutput(scope, `Run${capitalized(name)}`, {
        value: queue.queueUrl,
        description: `Where npx resource-api run ${name} sends its message`,
      });
      return { name: scheduleFunction(schedule), lambda, queue };
    });
    this.functions = Object.fromEntries(made.map(({ name, lambda }) => [name, lambda]));
    this.queues = made.map(({ queue }) => queue);
  }

  #function(
    scope: Construct,
    {
      schedule,
      queue,
      stores,
      bundle,
      options,
    }: Pick<SchedulesProps, 'stores' | 'options'> & {
      readonly schedule: Schedule;
      readonly queue: Queue;
      readonly bundle: string;
    },
  ): Lambda {
    const { name, about, uses, needs } = schedule;
    // What the code may do follows from `reads` and `writes`, as for the code of a resource.
    const facts = resource({
      name,
      title: name,
      about,
      uses,
      idempotency: recordedAnswers,
      routes: () => [],
    });
    const operations = storedOperations.name;
    const { lambda } = new BackgroundFunction(scope, {
      name: scheduleFunction(schedule),
      description: `Runs the schedule ${name}`,
      bundle,
      timeoutSeconds: WORK_SECONDS,
      resource: facts,
      // A long run continues in another one, for a day at most.
      sendsToItself: true,
      environment: {
        ...environmentOf(
          { ...facts, uses: [...uses, { table: operations, access: 'read' }] },
          stores,
          options,
        ),
        SCHEDULE_QUEUES: `${name}=${queue.queueUrl}`,
        DEAD_SCHEDULES: this.dead.queueUrl,
      },
      options,
    });
    grantFacts(lambda, facts, stores);
    const allow = allowing(lambda);
    const { tableArn } = stores.tables.of(operations);
    allow({ actions: dynamoDb(['GetItem', 'PutItem', 'UpdateItem']), resources: [tableArn] });
    allow({ actions: ['sqs:SendMessage'], resources: [this.dead.queueArn] });
    giveNeeds(lambda, { of: name, needs }, options);
    lambda.addEventSource(
      // Two is the least that Lambda takes. A run waits for the one before it.
      new SqsEventSource(queue, { batchSize: 1, reportBatchItemFailures: true, maxConcurrency: 2 }),
    );
    return lambda;
  }
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Returns the times of a schedule for EventBridge Scheduler. It leaves a local time out that the clocks skip. So a second
 * expression has the time after the gap: on other days the function finds that the run has begun.
 *
 * Source: Amazon EventBridge Scheduler User Guide, "Schedule types", "Daylight saving time on EventBridge Scheduler".
 */
export function expressionsOf(when: When): readonly ScheduleExpression[] {
  if (when.kind === 'each') {
    const { minutes } = when;
    return [
      minutes < 60
        ? ScheduleExpression.cron({ minute: `0/${minutes}` })
        : ScheduleExpression.cron({ minute: '0', hour: `0/${minutes / 60}` }),
    ];
  }
  const { zone, weekday, day } = when;
  const planned = { ...when, daysLater: 0 };
  return [planned, ...timesAfterGaps(when, Date.now())].map(({ hour, minute, daysLater }) =>
    ScheduleExpression.cron({
      ...(weekday === undefined
        ? {}
        : { weekDay: WEEKDAYS[(weekday + daysLater) % 7]?.slice(0, 3).toUpperCase() ?? '' }),
      // Clocks move at midnight in no February, so the day after the 28th is the 29th.
      ...(day === undefined ? {} : { day: String(day + daysLater) }),
      hour: String(hour),
      minute: String(minute),
      timeZone: TimeZone.of(zone),
    }),
  );
}
