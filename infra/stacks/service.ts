import { join } from 'node:path';
import { CfnOutput, CfnRule, Fn, Stack, Tags } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Resource } from '../../shared/resource/resource.ts';
import { BUILD, bundle } from '../bundle/bundle.ts';
import { restApi } from '../constructs/api/api.ts';
import { CallerLimits } from '../constructs/api/caller-limits.ts';
import { Firewall } from '../constructs/api/firewall.ts';
import { addGatewayResponses } from '../constructs/api/gateway-responses.ts';
import { Host } from '../constructs/api/host.ts';
import { addRoutes } from '../constructs/api/resource-routes.ts';
import { type Issuer, TokenAuthorizer } from '../constructs/api/token-authorizer.ts';
import { CallerPool } from '../constructs/api/user-pool.ts';
import { Background } from '../constructs/functions/background.ts';
import { Events } from '../constructs/functions/events.ts';
import { GradualDeployment } from '../constructs/functions/gradual-deployment.ts';
import { ResourceFunction } from '../constructs/functions/resource-function.ts';
import { Uploads } from '../constructs/functions/uploads.ts';
import { objectBucket, publishedBucket } from '../constructs/stores/bucket.ts';
import type { Stores } from '../constructs/stores/grants.ts';
import { OperationsQueue } from '../constructs/stores/queue.ts';
import { Site } from '../constructs/stores/site.ts';
import { Tables } from '../constructs/stores/tables.ts';
import { Alarms } from '../constructs/watch/alarms.ts';
import { monthlyBudget } from '../constructs/watch/budget.ts';
import type { Watched } from '../constructs/watch/conditions.ts';
import { dashboard } from '../constructs/watch/dashboard.ts';
import { limitsOf } from '../gateway/limits.ts';
import { routesOf } from '../gateway/routing.ts';
import { PUBLISHED } from '../nag-exceptions.ts';
import type { Options } from '../options.ts';
import { warnOfRisks } from './risks.ts';

export interface ServiceProps {
  readonly registry: readonly Resource[];
  readonly options: Options;
  /** The bundles of functions by name, and the directory for published files; undefined: a new build in `.build`. */
  readonly build?: { bundleOf(name: string): string; readonly published: string };
}

const freshBuild = ({ client }: Options): Required<ServiceProps>['build'] => ({
  bundleOf: (name) => bundle(name, BUILD, client).directory,
  published: join(BUILD, 'published'),
});

/**
 * The service: the resources of the registry as one stack, because SAM finds a function only in the stack of its API.
 *
 * A local template has only parts that SAM supports: no authorizer, alias, alarm or host.
 *
 * Source: AWS SAM CLI, "sam local start-api" with a CDK template.
 */
export class Service extends Stack {
  readonly #props: Required<ServiceProps>;
  readonly bucket: IBucket;
  readonly apiId: string;

  constructor(scope: Construct, id: string, props: ServiceProps) {
    const { registry, options, build = freshBuild(options) } = props;
    super(scope, id, {
      description: 'A resource-oriented HTTP API',
      env: { account: options.account, region: options.region },
      terminationProtection: !options.local && options.data === 'retain',
    });
    const { bundleOf } = build;
    this.#props = { registry, options, build };
    if (options.local) this.#refuseDeployment();
    else warnOfRisks(this, options);

    const queues = new OperationsQueue(this, 'operations');
    const tables = new Tables(this, 'tables', { registry, options });
    const bucket = objectBucket(this, 'objects', options);
    this.bucket = bucket;
    // Functions under SAM read the files that `npm start` published into the bucket of the other objects.
    const published = options.local ? bucket : publishedBucket(this, PUBLISHED);
    const stores = { tables, bucket, published, queue: queues.queue };
    const events = new Events(this, 'events', {
      registry,
      tables,
      bucket,
      bundle: bundleOf('events'),
      options,
    });
    this.#output('EventBus', events.bus.eventBusName, 'Where events are');
    const uploads = new Uploads(this, 'uploads', {
      registry,
      stores,
      bundle: bundleOf('uploads'),
      options,
    });
    const background = new Background(this, 'background', { registry, stores, queues, options, bundleOf });
    this.#output('Worker', background.functions.worker.functionName, 'Whose environment names the stores');
    const functions = this.#functions(stores);

    const authorizer = this.#authorizer();
    const api = restApi(this, 'api', { options, routes: routesOf(registry) });
    this.apiId = api.restApiId;
    const live = options.local
      ? functions
      : this.#watched(functions, {
          served: [...functions.values(), ...(authorizer ? [authorizer.lambda] : [])],
          background: { ...background.functions, events: events.lambda, uploads: uploads.lambda },
          tables: tables.all,
          waiting: {
            operations: { queue: queues.queue, late: 900 },
            uploads: { queue: uploads.queue, late: 1800 },
            'large-uploads': { queue: uploads.large, late: 7200 },
          },
          dead: { operations: queues.deadLetters, uploads: uploads.dead, events: events.dead },
        });
    addRoutes(api, registry, live, authorizer?.authorizer);
    this.#limitCallers(api);
    addGatewayResponses(api, options);
    if (!options.local)
      new Site(this, 'site', {
        registry,
        bucket: published,
        options,
        directory: build.published,
      });
    this.#output('URL', this.#address(api), 'Where the API is');
    // The firewall of an edge is in a stack of its own.
    if (options.waf && !options.edge)
      new Firewall(this, 'firewall', { place: 'REGIONAL', options }).protect(api.deploymentStage);
    monthlyBudget(this, 'budget', options);
    Tags.of(this).add('service', options.name);
  }

  /** Creates the function of each resource. */
  #functions(stores: Stores): ReadonlyMap<string, ResourceFunction['lambda']> {
    const { registry, options, build } = this.#props;
    const scope = new Construct(this, 'functions');
    return new Map(
      registry.map((resource) => {
        const code = build.bundleOf(resource.name);
        const { lambda } = new ResourceFunction(scope, { resource, bundle: code, stores, options });
        return [resource.name, lambda];
      }),
    );
  }

  /** Adds alarms and a dashboard. Returns the functions as clients reach them. */
  #watched(
    functions: ReadonlyMap<string, ResourceFunction['lambda']>,
    watched: Watched,
  ): ReadonlyMap<string, IFunction> {
    const { options } = this.#props;
    const { topics, failures } = new Alarms(this, 'alarms', { watched, options });
    this.#output('AlarmTopic', topics.page.topicArn, 'Where alarms go that need a person at once');
    this.#output('TicketTopic', topics.ticket.topicArn, 'Where alarms go that can wait for days');
    dashboard(this, 'dashboard', watched, options);
    const aliases = this.#live(functions);
    if (options.deployment === 'canary') {
      const gradual = new GradualDeployment(this, 'deployment', { service: options.name, failures });
      for (const [name, alias] of aliases) gradual.add(name, alias);
    }
    return aliases;
  }

  /**
   * An alias of each function, which API Gateway calls. It refers to the current version. During a canary deployment
   * it also refers to the previous version.
   */
  #live(functions: ReadonlyMap<string, ResourceFunction['lambda']>): ReadonlyMap<string, Alias> {
    const scope = new Construct(this, 'live');
    return new Map(
      [...functions].map(([name, lambda]) => [
        name,
        new Alias(scope, name, { aliasName: 'live', version: lambda.currentVersion }),
      ]),
    );
  }

  /** The authorizer; undefined if no caller needs a token. */
  #authorizer(): TokenAuthorizer | undefined {
    const { options, build } = this.#props;
    if (options.local || options.auth === 'none') return undefined;
    const issuer = this.#issuer();
    this.#output('Issuer', issuer.issuer, 'Whose tokens let callers in');
    const code = build.bundleOf('authorizer');
    return new TokenAuthorizer(this, 'authorizer', { issuer, bundle: code, options });
  }

  /** Adds the limit for each caller, if callers have names. */
  #limitCallers({ deploymentStage: stage }: RestApi): void {
    const { options } = this.#props;
    const { caller: limit } = limitsOf(options);
    if (limit && !options.local)
      new CallerLimits(this, 'caller-limits', { name: options.name, stage, limit });
  }

  /** The issuer that the operator named, or a new user pool of the stack. */
  #issuer(): Issuer {
    const { registry, options } = this.#props;
    const { issuer, audience, scopePrefix, jwksUri } = options;
    if (issuer !== undefined) return { issuer, audience, scopePrefix, jwksUri };
    const pool = new CallerPool(this, 'callers', { registry, options });
    this.#output(
      'ClientId',
      pool.clientId,
      'The program that may get tokens; its secret is in the user pool',
    );
    this.#output('TokenEndpoint', pool.tokenEndpoint, 'Where programs get tokens');
    return pool.issuer;
  }

  #address(api: RestApi): string {
    const { options } = this.#props;
    if (options.domainName === undefined || options.edge || options.local) return api.url.replace(/\/$/, '');
    return new Host(this, 'host', { api, options }).url;
  }

  #output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description });
  }

  /** A rule that makes CloudFormation refuse this template. */
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
