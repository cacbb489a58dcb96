import { type IGrantable, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { BINARIES } from '../../../shared/files/binaries/key.ts';
import { IDENTITY } from '../../../shared/files/comparison/pairing.ts';
import { FILES, STAGED } from '../../../shared/files/uploads/record.ts';
import { INPUTS } from '../../../shared/operations/record/long-inputs.ts';
import { OPERATION_FACTS } from '../../../shared/operations/record/operations.ts';
import { referencesOf, restrictionsIn } from '../../../shared/resource/description/references.ts';
import type { RelatedList } from '../../../shared/resource/relation.ts';
import { keptDays, type Resource, type Use } from '../../../shared/resource/resource.ts';
import { relationsIn } from '../../../shared/resource/route.ts';
import { DUE_INDEX, type Tabled, tableOf } from '../../../shared/store/form/table.ts';
import { REMOVED_INDEX } from '../../../shared/store/history/versions-table.ts';
import { byTitle, referring } from '../../../shared/store/lists/related.ts';
import { inventoryKey } from '../../../shared/store/write/stored-inventory.ts';
import { needsOf, type Tables } from './tables.ts';

/** The storage that functions use. */
export interface Stores {
  readonly tables: Tables;
  readonly bucket: IBucket;
  /** The bucket with published files. It holds no user data. */
  readonly published: IBucket;
  /** The queue of accepted operations. */
  readonly queue: Queue;
}

const OWN_ITEMS = ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];
const READ_ITEMS = ['GetItem', 'BatchGetItem'];
const VERSIONS = ['GetItem', 'Query', 'PutItem', 'UpdateItem'];
/** To create an operation, to wait for it, and to mark it failed if its message cannot be sent. */
const CREATED_OPERATIONS = ['GetItem', 'PutItem', 'UpdateItem'];
/** A condition check needs its own permission. Source: Amazon DynamoDB Developer Guide, "Using IAM with transactions". */
const REFERENCED_ITEMS = {
  read: ['GetItem'],
  check: ['GetItem', 'ConditionCheckItem'],
  follow: ['Query'],
  wait: ['PutItem'],
} as const;
const OBJECTS = {
  published: ['s3:GetObject'],
  read: ['s3:GetObject'],
  'read-write': ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
  /** To read and write, and to abort multipart uploads. */
  publish: ['GetObject', 'GetObjectVersion', 'PutObject', 'DeleteObject', 'AbortMultipartUpload'].map(
    (name) => `s3:${name}`,
  ),
  /** To presign uploads of clients, whole or in parts. */
  stage: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
};

/**
 * Grants the function of a resource the permissions that its description implies, and no others. It grants no
 * scan, no unrelated table and no `*`.
 */
export function grantFacts(grantee: IGrantable, resource: Resource, stores: Stores): void {
  const { tables } = stores;
  const allow = allowing(grantee);
  if (resource.table) {
    allow({ actions: dynamoDb(OWN_ITEMS), resources: [tables.of(resource.name).tableArn] });
    allowLists(allow, resource, tables);
  }
  if (resource.idempotency)
    allow({ actions: dynamoDb(['GetItem', 'PutItem']), resources: [tables.kept.tableArn] });
  for (const use of needsOf(resource)) {
    if ('table' in use)
      allow({ actions: dynamoDb(REFERENCED_ITEMS[use.access]), resources: [tables.of(use.table).tableArn] });
    else if ('reads' in use) {
      allow({ actions: dynamoDb(READ_ITEMS), resources: [tables.of(use.reads.name).tableArn] });
      allowLists(allow, use.reads, tables);
    } else if ('writes' in use) {
      allow({ actions: dynamoDb(OWN_ITEMS), resources: [tables.of(use.writes.name).tableArn] });
      allowLists(allow, use.writes, tables);
      grantConstraints(allow, use.writes, stores);
    } else grantObjects(allow, bucketOf(use, stores), use);
  }
  grantConstraints(allow, resource, stores);
  const versions = tables.versions?.tableArn;
  if (versions && keptDays([resource])) allow({ actions: dynamoDb(['PutItem']), resources: [versions] });
  if (versions && resource.history)
    allow({ actions: dynamoDb(VERSIONS), resources: [versions, `${versions}/index/${REMOVED_INDEX.name}`] });
  if (resource.binaries)
    grantObjects(allow, stores.bucket, { objects: `${BINARIES}${resource.name}/`, access: 'read-write' });
  for (const { to } of Object.values(resource.relations))
    allow({ actions: ['dynamodb:BatchGetItem'], resources: [tables.of(to.name).tableArn] });
  if (resource.deferral) grantDeferral(allow, stores);
}

/** Permissions to hold the references of items, and the references to them. */
function grantConstraints(
  allow: Allow,
  { name: resource, description, referredBy }: Pick<Resource, 'name' | 'description' | 'referredBy'>,
  { tables }: Stores,
): void {
  for (const { to } of description ? referencesOf(description) : [])
    allow({
      actions: dynamoDb(['GetItem', 'BatchGetItem', 'ConditionCheckItem']),
      resources: [tables.of(to.resource).tableArn],
    });
  for (const { name, description } of referredBy) {
    const { tableArn } = tables.of(name);
    const indexes = restrictionsIn(description, resource).map(
      (field) => `${tableArn}/index/${field}_by_${description.identifier.name}`,
    );
    allow({ actions: dynamoDb(['BatchGetItem', 'DeleteItem']), resources: [tableArn] });
    allow({ actions: ['dynamodb:Query'], resources: indexes });
    if (indexes.length > 0) allowInventory(allow, { name, description }, tables);
  }
}

/** Permissions to read and to count related items: the indexes of each list, and the items that its items lead to. */
export function grantRelated(grantee: IGrantable, lists: readonly RelatedList[], { tables }: Stores): void {
  const allow = allowing(grantee);
  for (const list of lists) {
    allowLists(allow, referring(list), tables);
    allowInventory(allow, list, tables);
    for (const { to } of list.relations)
      allow({ actions: ['dynamodb:BatchGetItem'], resources: [tables.of(to.name).tableArn] });
  }
}

/** Permissions to find the items to which those of a resource refer by their titles. */
export function grantTitles(grantee: IGrantable, resource: Resource, { tables }: Stores): void {
  const allow = allowing(grantee);
  for (const { to } of relationsIn(resource).filter(({ find }) => find)) {
    allowLists(allow, byTitle(to), tables);
    allowInventory(allow, to, tables);
  }
}

/** Permissions to list and to search these collections, with the items that their names begin with. */
export function grantLists(grantee: IGrantable, collections: readonly Resource[], stores: Stores): void {
  const allow = allowing(grantee);
  for (const one of collections) {
    allowLists(allow, { ...one, table: { ...one.table, due: false } }, stores.tables);
    allowInventory(allow, one, stores.tables);
    for (const { to } of Object.values(one.relations))
      allow({ actions: ['dynamodb:BatchGetItem'], resources: [stores.tables.of(to.name).tableArn] });
    grantTitles(grantee, one, stores);
  }
}

/** Permission to read the inventory of another table, whose index the function reads. */
function allowInventory(allow: Allow, of: Pick<Resource, 'name' | 'description'>, tables: Tables): void {
  const [key] = Object.values(inventoryKey(of));
  allow({
    actions: ['dynamodb:GetItem'],
    resources: [tables.of(of.name).tableArn],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [key?.N ?? key?.S] } },
  });
}

/** Returns the bucket that holds the objects of a use. */
export const bucketOf = ({ access }: ObjectUse, { bucket, published }: Stores): IBucket =>
  access === 'published' ? published : bucket;

type ObjectUse = Extract<Use, { objects: string }>;
type Allow = (statement: PolicyStatementProps) => void;

/** Returns what adds permissions to the role of a function. */
export const allowing =
  (grantee: IGrantable): Allow =>
  (statement) =>
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement(statement));

/** Permissions to accept work for later. A function that could not create an operation deletes its key. */
function grantDeferral(allow: Allow, { tables, bucket, queue }: Stores): void {
  allow({ actions: dynamoDb(CREATED_OPERATIONS), resources: [tables.of(OPERATION_FACTS.name).tableArn] });
  allow({ actions: ['dynamodb:DeleteItem'], resources: [tables.kept.tableArn] });
  allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
  allow({ actions: ['s3:PutObject'], resources: [`${bucket.bucketArn}/${INPUTS}*`] });
}

/**
 * Permissions of the worker: to hold the lease of an operation, to read and delete its input and its staged uploads,
 * and to continue it in a new message.
 */
export function grantWork(grantee: IGrantable, { tables, bucket, queue }: Stores): void {
  const allow = allowing(grantee);
  allow({
    actions: dynamoDb(['GetItem', 'UpdateItem']),
    resources: [tables.of(OPERATION_FACTS.name).tableArn],
  });
  // Before an upload operation fails, the worker checks once more for uploads and publishes those that have arrived.
  const ended = [INPUTS, STAGED].map((prefix) => `${bucket.bucketArn}/${prefix}*`);
  allow({ actions: ['s3:GetObject', 's3:DeleteObject'], resources: ended });
  allow({ actions: ['s3:ListMultipartUploadParts'], resources: [`${bucket.bucketArn}/${FILES}*`] });
  allow({
    actions: ['s3:ListBucket'],
    resources: [bucket.bucketArn],
    // The worker also compares bytes with the items that name them.
    conditions: { StringLikeIfExists: { 's3:prefix': [`${STAGED}*`, `${BINARIES}*`] } },
  });
  allow({ actions: ['s3:GetObject', 's3:PutObject'], resources: [`${bucket.bucketArn}/${IDENTITY}`] });
  allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
}

/** Permission to read the whole table of a resource, for a backfill. */
export const grantScan = (grantee: IGrantable, { name }: Resource, { tables }: Stores): void =>
  allowing(grantee)({ actions: ['dynamodb:Scan'], resources: [tables.of(name).tableArn] });

/** Permissions of the sweeper: to find overdue operations and to send their messages again. */
export function grantSweep(grantee: IGrantable, { tables, queue }: Stores): void {
  const allow = allowing(grantee);
  const { tableArn } = tables.of(OPERATION_FACTS.name);
  allow({ actions: ['dynamodb:Query'], resources: [`${tableArn}/index/${DUE_INDEX.name}`] });
  allow({ actions: dynamoDb(['GetItem', 'UpdateItem']), resources: [tableArn] });
  allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
}

/** Permissions of the dead-letters function: to end an abandoned operation with its recorded result, or as failed. */
export function grantGivingUp(grantee: IGrantable, { tables }: Stores): void {
  const allow = allowing(grantee);
  const { tableArn } = tables.of(OPERATION_FACTS.name);
  allow({ actions: dynamoDb(['GetItem', 'UpdateItem']), resources: [tableArn] });
  allow({ actions: ['dynamodb:GetItem'], resources: [tables.kept.tableArn] });
}

/**
 * Grants access to objects below a prefix. For a missing object, S3 responds with 404 if the caller can list the
 * bucket, and with 403 otherwise. The S3 documentation does not say whether the implicit check of GET and HEAD has a
 * prefix. The condition therefore also holds if the prefix is absent.
 *
 * Source: Amazon S3 API Reference, HeadObject, "Permissions"; IAM User Guide, "…IfExists condition operators".
 */
function grantObjects(allow: Allow, { bucketArn }: IBucket, { objects, access, history }: ObjectUse): void {
  allow({
    // A presigned URL names the version whose preconditions the service checked.
    actions: OBJECTS[access],
    resources: [`${bucketArn}/${objects}*`],
  });
  if (access === 'stage') return;
  allow({
    actions: history ? ['s3:ListBucket', 's3:ListBucketVersions'] : ['s3:ListBucket'],
    resources: [bucketArn],
    conditions: { StringLikeIfExists: { 's3:prefix': `${objects}*` } },
  });
}

/** Returns the actions of operations of DynamoDB. */
export const dynamoDb = (operations: readonly string[]): string[] =>
  operations.map((name) => `dynamodb:${name}`);

/** Permission to read the indexes of a table. */
function allowLists(allow: Allow, resource: Tabled, tables: Tables): void {
  const { tableArn } = tables.of(resource.name);
  const resources = tableOf(resource).indexes.map(({ name }) => `${tableArn}/index/${name}`);
  allow({ actions: ['dynamodb:Query'], resources });
}
