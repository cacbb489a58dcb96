import { Duration } from 'aws-cdk-lib';
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { changesFunction } from '../../../shared/events/changes.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Options } from '../../options.ts';
import { letRead } from '../audit/audit-key.ts';
import { grantFacts, type Stores } from '../stores/grants.ts';
import { QUEUE } from '../stores/queue.ts';
import { BackgroundFunction } from './bundled-function.ts';
import { readStream } from './events.ts';
import { giveNeeds } from './needs.ts';
import { environmentOf, type ResourceFunction } from './resource-function.ts';

/** Seconds for one batch. The code of an author can call other services. */
const TIMEOUT_SECONDS = 300;
/** After this time, a person has most of the day to repeat a change by hand: the stream keeps it for 24 hours. */
const MAXIMUM_AGE = Duration.hours(6);
/** Changes in one batch. Lambda delivers the whole batch again if its time ends. */
const BATCH = 10;

export interface ChangesProps {
  /** The resources with `onChange`. */
  readonly resources: readonly Resource[];
  /** The functions of the resources. Each has the stack of its resource. */
  readonly functions: ReadonlyMap<string, ResourceFunction>;
  readonly stores: Stores;
  /** The secret with the key of the hashes instead of callers, if there is one. */
  readonly auditKey: Secret | undefined;
  /** The directory with a bundled handler. */
  readonly bundleOf: (name: string) => string;
  readonly options: Options;
}

/**
 * Functions that call `onChange` of resources for the changes in the streams of their tables. Each has the permissions
 * of the function of its resource. Lambda retries a change that fails, and the later changes of the item wait. A change
 * that fails for good leaves a message with its stream position in the dead-letter queue.
 */
export class Changes extends Construct {
  /** By name, such as `orders-changes`. */
  readonly functions: Readonly<Record<string, Lambda>>;
  readonly dead: Queue;

  constructor(
    scope: Construct,
    id: string,
    { resources, functions, stores, auditKey, bundleOf, options }: ChangesProps,
  ) {
    super(scope, id);
    this.dead = new Queue(this, 'dead', QUEUE);
    const all = resources.map((resource) => {
      const name = changesFunction(resource);
      const stack = functions.get(resource.name)?.node.scope ?? this;
      const { lambda } = new BackgroundFunction(stack, {
        name,
        description: `Calls onChange of ${resource.name}`,
        bundle: bundleOf(name),
        timeoutSeconds: TIMEOUT_SECONDS,
        resource,
        environment: environmentOf(resource, stores, options),
        options,
      });
      grantFacts(lambda, resource, stores);
      giveNeeds(lambda, { of: resource.name, needs: resource.needs }, options);
      letRead(lambda, auditKey);
      const table = stores.tables.of(resource.name);
      readStream(lambda, resource, {
        table,
        batch: BATCH,
        maximumAge: MAXIMUM_AGE,
        dead: this.dead,
        options,
      });
      return [name, lambda] as const;
    });
    this.functions = Object.fromEntries(all);
  }
}
