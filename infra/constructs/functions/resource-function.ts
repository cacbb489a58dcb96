import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { registry } from '../../../service/registry.ts';
import { RELATED } from '../../../service/related.ts';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { LOOPBACK } from '../../../shared/http/origin.ts';
import { OPERATION_FACTS } from '../../../shared/operations/record/operations.ts';
import { referencesOf } from '../../../shared/resource/description/references.ts';
import { keptDays, type Resource } from '../../../shared/resource/resource.ts';
import { hasList, relationsIn } from '../../../shared/resource/route.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { OBJECTS_PATH, type Options } from '../../options.ts';
import {
  bucketOf,
  grantFacts,
  grantLists,
  grantRelated,
  grantTitles,
  type Stores,
} from '../stores/grants.ts';
import { needsOf, type Tables } from '../stores/tables.ts';
import { grantTrial, isTried } from '../stores/trial-grants.ts';
import { bundledFunction } from './bundled-function.ts';
import { giveNeeds, neededByRequests } from './needs.ts';

/** API Gateway ends a request after 29 s. The function ends earlier, so that its own log shows the reason. */
const TIMEOUT_SECONDS = 28;

export interface ResourceFunctionProps {
  readonly resource: Resource;
  /** The directory with the bundled handler. */
  readonly bundle: string;
  readonly stores: Stores;
  readonly options: Options;
}

/**
 * The Lambda function of a resource, with its own role and log group. Its permissions and its environment follow from
 * the description of the resource.
 */
export class ResourceFunction extends Construct {
  readonly lambda: Lambda;

  constructor(scope: Construct, { resource, bundle, stores, options }: ResourceFunctionProps) {
    super(scope, resource.name);
    this.lambda = bundledFunction(this, {
      name: resource.name,
      description: resource.title,
      bundle,
      timeoutSeconds: TIMEOUT_SECONDS,
      resource,
      environment: environmentOf(resource, stores, options),
      options,
    });
    grantFacts(this.lambda, resource, stores);
    giveNeeds(this.lambda, neededByRequests(resource), options);
    if (resource.name === 'changes') grantTrial(this.lambda, triedBy(stores.tables), stores);
    grantRelated(this.lambda, relatedTo(resource), stores);
    grantTitles(this.lambda, resource, stores);
    grantLists(this.lambda, shownBy(resource, stores.tables), stores);
  }
}

/** Returns the resources of the stack whose items the plan of an undo shows. */
const triedBy = (tables: Tables): readonly Resource[] =>
  registry.filter((one) => isTried(one) && tables.has(one.name));

/** Returns the related lists on the pages of a resource. */
const relatedTo = ({ name }: Resource) => RELATED[name] ?? [];

/** Returns the collections on the page of a resource that shows all those of the stack. */
const shownBy = ({ shows }: Resource, tables: Tables): readonly Resource[] =>
  shows ? registry.filter((one) => tables.has(one.name) && hasList(one)) : [];

/** Returns the resources with whose items the constraints of a resource are held. */
const constraining = ({
  description,
  referredBy,
}: Pick<Resource, 'description' | 'referredBy'>): string[] => [
  ...(description ? referencesOf(description).map(({ to }) => to.resource) : []),
  ...referredBy.map((referrer) => referrer.name),
];

/** Returns the resources whose tables the function of a resource uses, and the name of the table of recorded answers. */
const tablesUsedBy = (resource: Resource, tables: Tables): string[] => {
  const { name, table, uses, idempotency, deferral, history } = resource;
  const written = uses.flatMap((use) => ('writes' in use ? [use.writes] : []));
  return [
    ...(table ? [name] : []),
    ...written.map((one) => one.name),
    ...needsOf(resource).flatMap((use) =>
      'table' in use ? [use.table] : 'reads' in use ? [use.reads.name] : [],
    ),
    ...[resource, ...written].flatMap(constraining),
    ...relationsIn(resource).map(({ to }) => to.name),
    ...(deferral ? [OPERATION_FACTS.name] : []),
    ...shownBy(resource, tables).flatMap((one) => [
      one.name,
      ...Object.values(one.relations).map(({ to }) => to.name),
    ]),
    ...relatedTo(resource).flatMap((list) => [list.name, ...list.relations.map(({ to }) => to.name)]),
    ...(idempotency ? [IDEMPOTENCY_TABLE.name] : []),
    ...(history || (keptDays([resource]) !== undefined && tables.versions) ? [VERSIONS_TABLE.name] : []),
    // The names of tables are in cursors of the log, and an undo is tried out.
    ...(name === 'changes' ? [...triedBy(tables).map((one) => one.name), VERSIONS_TABLE.name] : []),
    ...(name === 'subscriptions' ? [DELIVERIES_TABLE.name, WAITING_TABLE.name] : []),
  ];
};

/** Returns the environment variables that the configuration reads. */
export function environmentOf(resource: Resource, stores: Stores, options: Options): Record<string, string> {
  const { uses, deferral, binaries } = resource;
  const { tables, bucket, queue } = stores;
  const objects = uses.find((use) => 'objects' in use);
  const { auth, local, basePath, allowedOrigin, edge } = options;
  const used = tablesUsedBy(resource, tables);
  return {
    ...(used.length > 0 ? tables.variable(used) : {}),
    ...(objects ? { BUCKET: bucketOf(objects, stores).bucketName, CLIENT_ENDPOINT_URL_S3: '' } : {}),
    ...(deferral || uses.some((use) => 'access' in use && use.access === 'wait')
      ? { MAXIMUM_WAITS: String(options.maximumWaits) }
      : {}),
    ...(deferral ? { OPERATIONS_QUEUE: queue.queueUrl } : {}),
    ...(deferral || binaries ? { BUCKET: bucket.bucketName } : {}),
    ...(auth === 'token' && !local ? { AUTH: auth } : {}),
    ...(options.shards === undefined ? {} : { SHARDS: String(options.shards) }),
    ...(basePath === undefined && !edge ? {} : { BASE_PATH: basePath ?? '' }),
    ...(resource.name === 'mcp' && options.domainName !== undefined
      ? { API_URL: `https://${options.domainName}${basePath ?? ''}` }
      : {}),
    ...(edge && objects ? { OBJECTS_PATH } : {}),
    ...(local && objects ? { KEEPS_CONTENT_LENGTH: 'true' } : {}),
    ...(allowedOrigin === undefined && !local ? {} : { ALLOWED_ORIGIN: allowedOrigin ?? LOOPBACK }),
  };
}
