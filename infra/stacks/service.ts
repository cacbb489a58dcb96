import { join } from 'node:path';
import { CfnOutput, CfnRule, Fn, Stack, Tags } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Resource } from '../../shared/resource/resource.ts';
import { BUILD, bundle } from '../bundle/bundle.ts';
import { restApi } from '../constructs/api.ts';
import { Background } from '../constructs/background.ts';
import { objectBucket } from '../constructs/bucket.ts';
import { Events } from '../constructs/events.ts';
import { addGatewayResponses } from '../constructs/gateway-responses.ts';
import { OperationsQueue } from '../constructs/queue.ts';
import { ResourceFunction } from '../constructs/resource-function.ts';
import { addRoutes } from '../constructs/resource-routes.ts';
import { Site } from '../constructs/site.ts';
import { Tables } from '../constructs/tables.ts';
import { Uploads } from '../constructs/uploads.ts';
import type { Options } from '../options.ts';

export interface ServiceProps {
  readonly registry: readonly Resource[];
  readonly options: Options;
  /** Where bundles are written to; undefined: `.build`. */
  readonly bundles?: string;
}

/**
 * The service: what the registry says, as one stack, because SAM finds a function only beside its API.
 *
 * Source: AWS SAM CLI, "sam local start-api" with a CDK template.
 */
export class Service extends Stack {
  constructor(scope: Construct, id: string, { registry, options, bundles }: ServiceProps) {
    super(scope, id, {
      description: 'A resource-oriented HTTP API',
      env: { account: options.account, region: options.region },
      terminationProtection: !options.local,
    });
    if (options.local) this.#refuseDeployment();

    const queues = new OperationsQueue(this, 'operations');
    const stores = {
      tables: new Tables(this, 'tables', registry),
      bucket: objectBucket(this, 'objects'),
      queue: queues.queue,
    };
    const { bus } = new Events(this, 'events', {
      registry,
      tables: stores.tables,
      bundle: bundle('events', bundles).directory,
      options,
    });
    new CfnOutput(this, 'EventBus', { value: bus.eventBusName, description: 'Where events are' });
    new Uploads(this, 'uploads', { stores, bundle: bundle('uploads', bundles).directory, options });
    const scopeOfFunctions = new Construct(this, 'functions');
    const functions = new Map<string, IFunction>();
    for (const resource of registry) {
      const { directory } = bundle(resource.name, bundles);
      const { lambda } = new ResourceFunction(scopeOfFunctions, {
        resource,
        bundle: directory,
        stores,
        options,
      });
      functions.set(resource.name, lambda);
    }

    new Background(this, 'background', { registry, stores, queues, options, bundles });

    // SAM's functions read what `npm start` published.
    if (!options.local)
      new Site(this, 'site', {
        registry,
        bucket: stores.bucket,
        options,
        directory: join(bundles ?? BUILD, 'published'),
      });

    const api = restApi(this, 'api', options);
    addRoutes(api, registry, functions);
    addGatewayResponses(api, options);
    new CfnOutput(this, 'URL', { value: api.url.replace(/\/$/, ''), description: 'Where the API is' });
    Tags.of(this).add('service', options.name);
  }

  /** CloudFormation itself refuses the template, should it ever be handed one. */
  #refuseDeployment(): void {
    new CfnRule(this, 'LocalOnly', {
      assertions: [
        {
          assert: Fn.conditionEquals('local', 'deployed'),
          assertDescription: 'This template is for sam local',
        },
      ],
    });
  }
}
