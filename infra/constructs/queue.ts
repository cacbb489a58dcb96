import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { ATTEMPTS } from '../attempts.ts';

/** What holds for every queue: TLS on the way, encrypted at rest. */
export const SECURED = { enforceSSL: true, encryption: QueueEncryption.SQS_MANAGED };

/** How long one message may be worked on before the function ends. */
export const WORK_SECONDS = 300;
/** How long the end of given-up operations may take. */
export const GIVING_UP_SECONDS = 30;
/** What Lambda advises: invocations that are throttled are tried again meanwhile. */
const INVISIBLE = 6;

/**
 * The queue of operations that go on after their request was answered, and the queue of those that failed for good.
 * A message stays invisible six times as long as a function may work on it.
 *
 * Source: AWS Lambda Developer Guide, "Configuring a queue to use with Lambda".
 */
export class OperationsQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.deadLetters = new Queue(this, 'dead', {
      ...SECURED,
      visibilityTimeout: Duration.seconds(INVISIBLE * GIVING_UP_SECONDS),
      retentionPeriod: Duration.days(14),
    });
    this.queue = new Queue(this, 'waiting', {
      ...SECURED,
      visibilityTimeout: Duration.seconds(INVISIBLE * WORK_SECONDS),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: ATTEMPTS.operations },
    });
  }
}
