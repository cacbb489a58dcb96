import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { ATTEMPTS } from '../../attempts.ts';
import type { Options } from '../../options.ts';
import { letReadDenied } from '../api/token-authorizer.ts';
import { allowing, dynamoDb, type Stores } from '../stores/grants.ts';
import { invisibleFor, QUEUE } from '../stores/queue.ts';
import { BackgroundFunction } from './bundled-function.ts';
import type { ResourceFunction } from './resource-function.ts';

/** Seconds for a batch: a receiver has 10 s, and all receivers of a batch have them at the same time. */
const TIMEOUT_SECONDS = 30;
const BATCH = 10;

interface WebhooksProps {
  /** The functions of resources. */
  readonly functions: ReadonlyMap<string, ResourceFunction>;
  /** The function that publishes changes. */
  readonly events: Lambda;
  readonly stores: Stores;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
  readonly options: Options;
}

/**
 * The parts of a service with subscriptions, in the stack of their function; undefined: clients of the service cannot
 * subscribe to events.
 */
export function webhooksOf(scope: Construct, props: WebhooksProps): Webhooks | undefined {
  const subscriptions = props.functions.get('subscriptions');
  const stack = subscriptions?.node.scope ?? scope;
  return subscriptions && new Webhooks(stack, 'webhooks', subscriptions.lambda, props);
}

/**
 * The function that delivers events to subscriptions, and its queue. A message waits in the queue for its next attempt. A
 * message that the function cannot process for good moves to the dead-letter queue.
 *
 * Source: AWS Lambda Developer Guide, "Configuring a queue to use with Lambda".
 */
class Webhooks extends Construct {
  readonly lambda: Lambda;
  readonly dead: Queue;
  readonly #queue: Queue;
  readonly #tables: Stores['tables'];

  constructor(
    scope: Construct,
    id: string,
    subscriptions: Lambda,
    { events, stores: { tables }, bundleOf, options }: WebhooksProps,
  ) {
    super(scope, id);
    this.#tables = tables;
    this.dead = new Queue(this, 'dead', QUEUE);
    this.#queue = new Queue(this, 'waiting', {
      ...QUEUE,
      visibilityTimeout: invisibleFor(TIMEOUT_SECONDS),
      deadLetterQueue: { queue: this.dead, maxReceiveCount: ATTEMPTS.webhooks },
    });
    const { lambda } = new BackgroundFunction(this, {
      name: 'webhooks',
      description: 'Delivers events to subscriptions',
      bundle: bundleOf('webhooks'),
      timeoutSeconds: TIMEOUT_SECONDS,
      environment: {
        ...tables.variable(['subscriptions', DELIVERIES_TABLE.name, IDEMPOTENCY_TABLE.name]),
        WEBHOOKS_QUEUE: this.#queue.queueUrl,
      },
      options,
    });
    this.lambda = lambda;
    this.#allow(lambda, ['GetItem', 'UpdateItem'], 'subscriptions');
    this.#allow(lambda, ['Query', 'PutItem'], DELIVERIES_TABLE.name);
    letReadDenied(lambda, tables);
    lambda.addEventSource(
      new SqsEventSource(this.#queue, {
        batchSize: BATCH,
        reportBatchItemFailures: true,
        maxConcurrency: options.maximumWorkers,
      }),
    );
    // The function of subscriptions keeps secrets and counts, reads deliveries, and sends events again.
    this.#allow(subscriptions, ['GetItem', 'Query', 'PutItem', 'UpdateItem'], DELIVERIES_TABLE.name);
    // It counts the subscriptions before it refuses another one.
    this.#allow(subscriptions, ['Scan'], 'subscriptions');
    this.#letSend(subscriptions);
    // The events function finds the subscriptions of an event, and sends it.
    this.#allow(events, ['Scan'], 'subscriptions');
    this.#allow(events, ['Query'], DELIVERIES_TABLE.name);
    this.#letSend(events);
  }

  #letSend(lambda: Lambda): void {
    lambda.addEnvironment('WEBHOOKS_QUEUE', this.#queue.queueUrl);
    allowing(lambda)({ actions: ['sqs:SendMessage'], resources: [this.#queue.queueArn] });
  }

  #allow(lambda: Lambda, operations: readonly string[], table: string): void {
    allowing(lambda)({ actions: dynamoDb(operations), resources: [this.#tables.of(table).tableArn] });
  }
}
