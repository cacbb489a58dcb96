import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { BY_DUE, BY_NEXT, WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { CHANGES_TABLE } from '../../../shared/store/form/log-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { ATTEMPTS } from '../../attempts.ts';
import type { Options } from '../../options.ts';
import { letReadDenied } from '../api/token-authorizer.ts';
import { allowing, dynamoDb, type Stores } from '../stores/grants.ts';
import { invisibleFor, QUEUE } from '../stores/queue.ts';
import { BackgroundFunction } from './bundled-function.ts';
import type { ResourceFunction } from './resource-function.ts';

/** Seconds of a run: it begins attempts for 15 s, and a receiver has 10 s. A run of the fan-out has 20 s. */
const TIMEOUT_SECONDS = 60;
/** Places of the lane of receivers that are not proven, for each place of another queue. A run mostly waits. */
const PLACES = 5;
/** Messages of the fan-out that one run is for. */
const WAKES = 10;
/** The least that Lambda allows. A lease lets one run follow a partition. */
const FAN_OUTS = 2;

interface WebhooksProps {
  /** The functions of resources. */
  readonly functions: ReadonlyMap<string, ResourceFunction>;
  /** The function that adds changes to the log, and the sweeper. */
  readonly events: Lambda;
  readonly sweeper: Lambda;
  readonly stores: Stores;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
  readonly options: Options;
}

/**
 * Returns the parts of a service with subscriptions, in the stack of their function; undefined: clients of the service
 * cannot subscribe to events.
 */
export function webhooksOf(scope: Construct, props: WebhooksProps): Webhooks | undefined {
  const subscriptions = props.functions.get('subscriptions');
  const stack = subscriptions?.node.scope ?? scope;
  return subscriptions && new Webhooks(stack, 'webhooks', subscriptions.lambda, props);
}

/** The variables with the URLs of the queues. */
const VARIABLES = { proven: 'PROVEN_QUEUE', other: 'WEBHOOKS_QUEUE', fanOut: 'FANOUT_QUEUE' } as const;
type Name = keyof typeof VARIABLES;

/**
 * The functions that follow the log of changes and deliver events to subscriptions. Each lane of receivers has a queue of
 * its own, and so has the fan-out. A queue has a wake for each receiver at most, because a table has the deliveries that
 * wait. A message that a function cannot process for good moves to the dead-letter queue.
 *
 * Source: AWS Lambda Developer Guide, "Configuring a queue to use with Lambda".
 */
export class Webhooks extends Construct {
  readonly functions: Readonly<Record<'webhooks' | 'fanout', Lambda>>;
  readonly dead: Queue;
  /** The queues that no receiver can hold up. */
  readonly quick: readonly Queue[];
  readonly #queues: Readonly<Record<Name, Queue>>;
  readonly #tables: Stores['tables'];

  constructor(
    scope: Construct,
    id: string,
    subscriptions: Lambda,
    { events, sweeper, stores: { tables }, bundleOf, options }: WebhooksProps,
  ) {
    super(scope, id);
    this.#tables = tables;
    this.dead = new Queue(this, 'dead', QUEUE);
    const queue = (name: string, maxReceiveCount: number = ATTEMPTS.wakes) =>
      new Queue(this, name, {
        ...QUEUE,
        visibilityTimeout: invisibleFor(TIMEOUT_SECONDS),
        deadLetterQueue: { queue: this.dead, maxReceiveCount },
      });
    // An earlier release has its messages in the queue `waiting`.
    const queues = {
      proven: queue('proven'),
      other: queue('waiting', ATTEMPTS.webhooks),
      fanOut: queue('fan-out'),
    };
    this.#queues = queues;
    this.quick = [queues.proven, queues.fanOut];
    const made = (name: string, description: string, more: readonly string[]): Lambda =>
      new BackgroundFunction(this, {
        name,
        description,
        bundle: bundleOf(name),
        timeoutSeconds: TIMEOUT_SECONDS,
        // A run that has no time left wakes another one.
        sendsToItself: true,
        environment: tables.variable([
          'subscriptions',
          ...[DELIVERIES_TABLE, WAITING_TABLE, CHANGES_TABLE].map((one) => one.name),
          ...more,
        ]),
        options,
      }).lambda;

    const webhooks = made('webhooks', 'Delivers events to subscriptions', [IDEMPOTENCY_TABLE.name]);
    this.#allow(webhooks, ['GetItem', 'UpdateItem'], 'subscriptions');
    this.#allow(webhooks, ['GetItem', 'PutItem'], DELIVERIES_TABLE.name);
    this.#allow(webhooks, ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'], WAITING_TABLE.name);
    this.#allow(webhooks, ['Query'], WAITING_TABLE.name, BY_DUE.name);
    this.#allow(webhooks, ['GetItem'], CHANGES_TABLE.name);
    letReadDenied(webhooks, tables);
    this.#letSend(webhooks, 'proven', 'other');
    const { maximumWorkers } = options;
    this.#feed(webhooks, queues.proven, { batchSize: 1, maxConcurrency: maximumWorkers });
    this.#feed(webhooks, queues.other, { batchSize: 1, maxConcurrency: PLACES * maximumWorkers });

    const fanout = made('fanout', 'Finds the subscriptions of changes', []);
    this.#allow(fanout, ['Scan'], 'subscriptions');
    this.#allow(fanout, ['BatchGetItem', 'PutItem'], DELIVERIES_TABLE.name);
    this.#allow(fanout, ['GetItem', 'BatchGetItem', 'Query', 'PutItem', 'UpdateItem'], WAITING_TABLE.name);
    this.#allow(fanout, ['Query'], CHANGES_TABLE.name);
    this.#letSend(fanout, 'proven', 'other', 'fanOut');
    this.#feed(fanout, queues.fanOut, { batchSize: WAKES, maxConcurrency: FAN_OUTS });
    this.functions = { webhooks, fanout };

    // The function of subscriptions keeps secrets and counts, reads deliveries, and sends events again.
    this.#allow(subscriptions, ['GetItem', 'Query', 'PutItem', 'UpdateItem'], DELIVERIES_TABLE.name);
    // It counts the subscriptions before it refuses another one.
    this.#allow(subscriptions, ['Scan'], 'subscriptions');
    this.#allow(subscriptions, ['PutItem'], WAITING_TABLE.name);
    this.#letSend(subscriptions, 'other');
    // The events function sees whether a subscription is active, and none of them.
    this.#allow(events, ['GetItem'], WAITING_TABLE.name);
    this.#letSend(events, 'fanOut');
    this.#allow(sweeper, ['GetItem', 'Query', 'UpdateItem'], WAITING_TABLE.name);
    this.#allow(sweeper, ['Query'], WAITING_TABLE.name, BY_NEXT.name);
    this.#letSend(sweeper, 'proven', 'other', 'fanOut');
  }

  #feed(lambda: Lambda, queue: Queue, limits: { batchSize: number; maxConcurrency: number }): void {
    lambda.addEventSource(new SqsEventSource(queue, { reportBatchItemFailures: true, ...limits }));
  }

  #letSend(lambda: Lambda, ...names: readonly Name[]): void {
    for (const name of names) {
      const { queueUrl, queueArn } = this.#queues[name];
      lambda.addEnvironment(VARIABLES[name], queueUrl);
      allowing(lambda)({ actions: ['sqs:SendMessage'], resources: [queueArn] });
    }
  }

  #allow(lambda: Lambda, operations: readonly string[], table: string, index?: string): void {
    const { tableArn } = this.#tables.of(table);
    const resource = index === undefined ? tableArn : `${tableArn}/index/${index}`;
    allowing(lambda)({ actions: dynamoDb(operations), resources: [resource] });
  }
}
