import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ATTEMPTS } from '../../attempts.ts';

/** Settings of every queue: TLS in transit, encryption at rest, and the longest retention of SQS. */
export const QUEUE = {
  enforceSSL: true,
  encryption: QueueEncryption.SQS_MANAGED,
  retentionPeriod: Duration.days(14),
};

/** Seconds that the worker has for one message. */
export const WORK_SECONDS = 300;
/** Seconds that the dead-letters function has for one batch. */
export const GIVING_UP_SECONDS = 30;
/** The factor that Lambda recommends, so that it can retry throttled invocations. */
const VISIBILITY_FACTOR = 6;
/** Returns the time for which a message of a function stays invisible. `seconds`: the time-out of the function. */
export const invisibleFor = (seconds: number): Duration => Duration.seconds(VISIBILITY_FACTOR * seconds);

/**
 * The queue of accepted operations and its dead-letter queue. A message stays invisible for six times the time-out of
 * the function.
 *
 * Source: AWS Lambda Developer Guide, "Configuring a queue to use with Lambda".
 */
export class OperationsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'dead', {
      ...QUEUE,
      visibilityTimeout: invisibleFor(GIVING_UP_SECONDS),
    });
    // No record repeats a message about removed items, whose references the worker clears.
    this.queue = new Queue(this, 'waiting', {
      ...QUEUE,
      visibilityTimeout: invisibleFor(WORK_SECONDS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS.operations },
    });
  }
}
