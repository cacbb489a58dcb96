import { CfnOutput, CfnRule, Fn, NestedStack, Stack, Tags } from 'aws-cdk-lib';
import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import type { IFunction, Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { keptDays, type Resource } from '../../shared/resource/resource.ts';
import type { Schedule } from '../../shared/resource/schedule.ts';
import { invokerOf, restApi } from '../constructs/api/api.ts';
import { CallerLimits } from '../constructs/api/caller-limits.ts';
import { Firewall } from '../constructs/api/firewall.ts';
import { Host } from '../constructs/api/host.ts';
import { pathsOf } from '../constructs/api/paths.ts';
import { hasSignIn, issuerOf, letPeopleSignIn, type StackIssuer } from '../constructs/api/sign-in.ts';
import { authorizersOf, TokenAuthorizer } from '../constructs/api/token-authorizer.ts';
import { auditSecret, letRead } from '../constructs/audit/audit-key.ts';
import { auditLog } from '../constructs/audit/audit-log.ts';
import { Background } from '../constructs/functions/background.ts';
import { Changes } from '../constructs/functions/changes.ts';
import { Events } from '../constructs/functions/events.ts';
import {
  AUTHORIZER_FUNCTION,
  lambdasOf,
  liveAliases,
  type WithFunction,
} from '../constructs/functions/live-aliases.ts';
import { refuseVariables } from '../constructs/functions/needs.ts';
import { ResourceFunction } from '../constructs/functions/resource-function.ts';
import { Schedules } from '../constructs/functions/schedules.ts';
import { hasBytes, Uploads } from '../constructs/functions/uploads.ts';
import { webhooksOf } from '../constructs/functions/webhooks.ts';
import { objectBucket, publishedBucket } from '../constructs/stores/bucket.ts';
import type { Stores } from '../constructs/stores/grants.ts';
import { OperationsQueue } from '../constructs/stores/queue.ts';
import { Site } from '../constructs/stores/site.ts';
import { Tables } from '../constructs/stores/tables.ts';
import { Alarms } from '../constructs/watch/alarms.ts';
import { monthlyBudget } from '../constructs/watch/budget.ts';
import type { Watched } from '../constructs/watch/conditions.ts';
import { dashboard } from '../constructs/watch/dashboard.ts';
import { routesOf } from '../gateway/routing.ts';
import { throttlingOf } from '../gateway/throttling.ts';
import { PUBLISHED } from '../nag-exceptions.ts';
import type { Options } from '../options.ts';
import { tableChanges } from '../stored.ts';
import { nameTables, warnOfRisks } from './risks.ts';
import { nameDeadLetters, watchedParts } from './watched.ts';

export interface ServiceProps {
  readonly registry: readonly Resource[];
  readonly schedules?: readonly Schedule[];
  readonly options: Options;
  /** The directory of the bundle of each function, and the directory of the files of the site. */
  readonly build: { bundleOf(name: string): string; readonly published: string };
}

/**
 * The service: the resources of the registry. The stack itself has the data, the API and the background functions. Each
 * resource has a nested stack with its function, so the number of resources is not limited by the 500 of one stack.
 *
 * A local template has only parts that SAM supports: no authorizer, alias, alarm or host. It has no nested stack,
 * because SAM finds a function only in the stack of its API.
 *
 * Source: AWS CloudFormation User Guide, "CloudFormation quotas", "Nested stacks"; AWS SAM CLI, "sam local start-api"
 * with a CDK template.
 */
export class Service extends Stack {
  readonly #props: ServiceProps;
  readonly bucket: IBucket;
  readonly api: RestApiBase;
  /** The event bus of the service, with an event for each change. */
  readonly eventBus: IEventBus;
  /** The tables by the names of their resources. */
  readonly tables: Readonly<Record<string, ITableV2>>;
  /** The functions by their names: those of resources, such as `orders`, and of the background: `orders-changes`, `worker`. */
  readonly functions: Readonly<Record<string, Lambda>>;
  /** The issuer whose tokens the API accepts; undefined: no caller needs a token. */
  readonly issuer: string | undefined;

  constructor(scope: Construct, id: string, props: ServiceProps) {
    const { registry, schedules = [], options, build } = props;
    super(scope, id, {
      description: 'A resource-oriented HTTP API',
      env: { account: options.account, region: options.region },
      terminationProtection: !options.local && options.data === 'retain',
      // CloudFormation limits the bytes of a template too.
      suppressTemplateIndentation: true,
    });
    const { bundleOf } = build;
    this.#props = props;
    refuseVariables([...registry, ...schedules], options);
    if (options.local) this.#refuseDeployment();
    else {
      warnOfRisks(this, options);
      nameTables(this, options, tableChanges(registry));
    }

    const queues = new OperationsQueue(this, 'operations');
    const tables = new Tables(this, 'tables', { registry, options });
    const bucket = objectBucket(this, 'objects', options, keptDays(registry));
    this.bucket = bucket;
    // Functions under SAM read the files that `npm start` published into the bucket of the other objects.
    const published = options.local ? bucket : publishedBucket(this, PUBLISHED);
    const auditKey = auditSecret(this, options);
    const { queue } = queues;
    const stores = { tables, bucket, published, queue };
    const bundle = bundleOf('events');
    const events = new Events(this, 'events', { registry, tables, bucket, queue, auditKey, bundle, options });
    this.eventBus = events.bus;
    this.#output('EventBus', events.bus.eventBusName, 'Where events are');
    const uploads = hasBytes(registry)
      ? new Uploads(this, 'uploads', { registry, stores, bundle: bundleOf('uploads'), options })
      : undefined;
    const background = new Background(this, 'background', { registry, stores, queues, options, bundleOf });
    this.#output('Worker', background.functions.worker.functionName, 'Whose environment names the stores');
    this.#output('OperationsQueue', queues.queue.queueUrl, 'Where npm run backfill sends its message');
    const functions = this.#functions(stores);
    const common = { functions, stores, bundleOf, options };
    const { sweeper } = background.functions;
    const webhooks = webhooksOf(this, { ...common, events: events.lambda, sweeper });
    const handled = registry.filter(({ onChange }) => onChange);
    const changes =
      handled.length > 0
        ? new Changes(this, 'changes', { ...common, resources: handled, auditKey })
        : undefined;

    const timed =
      schedules.length > 0
        ? new Schedules(this, 'schedules', { schedules, stores, bundleOf, options })
        : undefined;

    const issuer = issuerOf(this, { registry, options });
    this.issuer = issuer?.issuer.issuer;
    const authorizer = issuer && this.#authorizer(issuer, tables);
    for (const one of [authorizer, functions.get('mcp')]) if (one) letRead(one.lambda, auditKey);
    const audited = auditLog(this, { registry, functions, bundleOf, options });
    this.tables = tables.byName;
    this.functions = Object.fromEntries([
      ...[...functions].map(([name, { lambda }]) => [name, lambda] as const),
      ...Object.entries({ ...background.functions, ...changes?.functions, ...timed?.functions }),
    ]);
    const served = new Map([
      ...functions,
      ...(authorizer ? [[AUTHORIZER_FUNCTION, authorizer] as const] : []),
    ]);
    const parts = { queues, tables, events, uploads, background, webhooks, changes, timed, audited };
    const live = options.local ? lambdasOf(served) : this.#watched(served, watchedParts(served, parts));
    const api = this.#api(live);
    this.api = api;
    const pages = functions.get('signin');
    if (issuer && pages) {
      letPeopleSignIn(this, issuer, { api, lambda: pages.lambda, options });
      if (hasSignIn(options)) letRead(pages.lambda, auditKey);
    }
    this.#limitCallers(api);
    if (!options.local) new Site(this, 'site', { bucket: published, options, directory: build.published });
    this.#output('URL', this.#address(api), 'Where the API is');
    // The firewall of an edge is in a stack of its own.
    if (options.waf !== 'none' && !options.edge)
      new Firewall(this, 'firewall', { place: 'REGIONAL', options }).protect(api.deploymentStage);
    monthlyBudget(this, 'budget', options);
    Tags.of(this).add('service', options.name);
  }

  /** Creates the function of each resource in its own stack. */
  #functions(stores: Stores): ReadonlyMap<string, ResourceFunction> {
    const { registry, options, build } = this.#props;
    const scope = new Construct(this, 'functions');
    return new Map(
      registry.map((resource) => {
        const code = build.bundleOf(resource.name);
        const own = options.local ? scope : this.#nested(scope, resource);
        return [resource.name, new ResourceFunction(own, { resource, bundle: code, stores, options })];
      }),
    );
  }

  #nested(scope: Construct, { name }: Resource): Stack {
    return new NestedStack(scope, `${name}-stack`, { description: `The function of ${name}` });
  }

  /** Adds alarms, a dashboard and canary deployments, as the options want them. Returns the functions as API Gateway invokes them. */
  #watched(functions: ReadonlyMap<string, WithFunction>, watched: Watched): ReadonlyMap<string, IFunction> {
    const { options, build } = this.#props;
    nameDeadLetters(this, watched);
    const isSilent = options.observability === 'none';
    const failures = isSilent ? undefined : new Alarms(this, 'alarms', { watched, options }).failures;
    if (options.observability === 'full') dashboard(this, 'dashboard', watched, options);
    return liveAliases(this, functions, { options, failures, bundleOf: build.bundleOf });
  }

  /** Creates the API of all routes, and the role with which it invokes the functions. */
  #api(live: ReadonlyMap<string, IFunction>): RestApiBase {
    const { registry, options } = this.#props;
    const invoker = invokerOf(this, 'invoker', live.values());
    const judge = live.get(AUTHORIZER_FUNCTION);
    const routes = routesOf(registry);
    const withInvoker = { invoker: invoker.roleArn };
    const api = restApi(this, 'api', {
      routes,
      paths: pathsOf({ routes, functions: live, ...withInvoker, isAuthorized: judge !== undefined }),
      functions: live.values(),
      authorizers: judge ? authorizersOf(judge, { ...withInvoker, isCached: !hasSignIn(options) }) : {},
      options,
    });
    // A new function can be invoked as soon as the API leads to it.
    api.node.addDependency(invoker);
    return api;
  }

  #authorizer({ issuer }: StackIssuer, tables: Tables): TokenAuthorizer {
    const { options, build } = this.#props;
    const code = build.bundleOf('authorizer');
    return new TokenAuthorizer(this, 'authorizer', { issuer, tables, bundle: code, options });
  }

  /** Adds the limit for each caller, if callers have names. */
  #limitCallers({ deploymentStage: stage }: RestApiBase): void {
    const { options } = this.#props;
    const { caller: limit } = throttlingOf(options);
    if (limit && !options.local)
      new CallerLimits(this, 'caller-limits', { name: options.name, stage, limit });
  }

  #address(api: RestApiBase): string {
    const { options } = this.#props;
    if (options.domainName === undefined || options.edge || options.local)
      return api.urlForPath('/').replace(/\/$/, '');
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
