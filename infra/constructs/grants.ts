import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement, type PolicyStatementProps } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { INPUTS } from '../../shared/aws/inputs.ts';
import { FILES, STAGED } from '../../shared/files/uploads/record.ts';
import { FACTS } from '../../shared/operations/operations.ts';
import type { Resource, Use } from '../../shared/resource/resource.ts';
import { DUE_INDEX, tableOf } from '../../shared/store/items/table.ts';
import type { Tables } from './tables.ts';

/** What functions keep things in. */
export interface Stores {
  readonly tables: Tables;
  readonly bucket: Bucket;
  /** What a deployment publishes: no data of users. */
  readonly published: Bucket;
  /** Where operations wait. */
  readonly queue: Queue;
}

const OWN_ITEMS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];
const KEPT_ANSWERS = ['GetItem', 'PutItem'];
/** To begin one, to wait for it, and to fail it where its message cannot be sent. */
const BEGUN_OPERATIONS = ['GetItem', 'PutItem', 'UpdateItem'];
/** A check in a transaction is a permission of its own. Source: Amazon DynamoDB Developer Guide, "Using IAM with transactions". */
const NEIGHBOUR_ITEMS = {
  read: ['GetItem'],
  check: ['GetItem', 'ConditionCheckItem'],
  count: ['GetItem', 'ConditionCheckItem', 'UpdateItem'],
} as const;
const OBJECTS = {
  published: ['s3:GetObject'],
  'read-write': ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:DeleteObject'],
  /** To read and write, and to give up what is to be written in parts. */
  publish: [
    's3:GetObject',
    's3:GetObjectVersion',
    's3:PutObject',
    's3:DeleteObject',
    's3:AbortMultipartUpload',
  ],
  /** To sign what clients send, whole or in parts. */
  stage: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
};

/** Lets the function of a resource do what its facts say, and nothing beside: no scan, no table of others, no `*`. */
export function grantFacts(grantee: IGrantable, resource: Resource, stores: Stores): void {
  const { tables } = stores;
  const allow = allowing(grantee);

  if (resource.table) {
    const table = tables.of(resource.name);
    allow({ actions: dynamoDb(OWN_ITEMS), resources: [table.tableArn] });
    allow({ actions: ['dynamodb:Query'], resources: indexArns(table, resource) });
  }
  if (resource.actions.replay) allow({ actions: dynamoDb(KEPT_ANSWERS), resources: [tables.kept.tableArn] });
  for (const use of resource.uses) {
    if ('table' in use) {
      const { tableArn } = tables.of(use.table);
      allow({ actions: dynamoDb(NEIGHBOUR_ITEMS[use.access]), resources: [tableArn] });
    } else grantObjects(allow, bucketOf(use, stores), use);
  }
  if (resource.actions.defer) grantDeferral(allow, stores);
}

/** Where the objects of a use are. */
export const bucketOf = ({ access }: ObjectUse, { bucket, published }: Stores): Bucket =>
  access === 'published' ? published : bucket;

type ObjectUse = Extract<Use, { objects: string }>;
type Allow = (statement: PolicyStatementProps) => void;

const allowing =
  (grantee: IGrantable): Allow =>
  (statement) =>
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement(statement));

/** To answer now and have the work done later. A key whose operation could not be begun is free again. */
function grantDeferral(allow: Allow, { tables, bucket, queue }: Stores): void {
  allow({ actions: dynamoDb(BEGUN_OPERATIONS), resources: [tables.of(FACTS.name).tableArn] });
  allow({ actions: ['dynamodb:DeleteItem'], resources: [tables.kept.tableArn] });
  allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
  allow({ actions: ['s3:PutObject'], resources: [`${bucket.bucketArn}/${INPUTS}*`] });
}

/** To do what was accepted: to hold an operation, to read and forget its input and what was sent for it, to have it go on elsewhere. */
export function grantWork(grantee: IGrantable, { tables, bucket, queue }: Stores): void {
  const allow = allowing(grantee);
  allow({ actions: dynamoDb(['GetItem', 'UpdateItem']), resources: [tables.of(FACTS.name).tableArn] });
  allow({ actions: ['s3:GetObject', 's3:DeleteObject'], resources: [`${bucket.bucketArn}/${INPUTS}*`] });
  // The last look at uploads before an operation fails: to publish what arrived.
  allow({ actions: ['s3:GetObject', 's3:DeleteObject'], resources: [`${bucket.bucketArn}/${STAGED}*`] });
  allow({ actions: ['s3:ListMultipartUploadParts'], resources: [`${bucket.bucketArn}/${FILES}*`] });
  allow({
    actions: ['s3:ListBucket'],
    resources: [bucket.bucketArn],
    conditions: { StringLikeIfExists: { 's3:prefix': `${STAGED}*` } },
  });
  allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
}

/** To find operations that should have gone on, and send them again. */
export function grantSweep(grantee: IGrantable, { tables, queue }: Stores): void {
  const allow = allowing(grantee);
  const { tableArn } = tables.of(FACTS.name);
  allow({ actions: ['dynamodb:Query'], resources: [`${tableArn}/index/${DUE_INDEX.name}`] });
  allow({ actions: ['dynamodb:UpdateItem'], resources: [tableArn] });
  allow({ actions: ['sqs:SendMessage'], resources: [queue.queueArn] });
}

/** To end operations that were given up, as what they are known to have done. */
export function grantGivingUp(grantee: IGrantable, { tables }: Stores): void {
  const allow = allowing(grantee);
  allow({ actions: dynamoDb(['GetItem', 'UpdateItem']), resources: [tables.of(FACTS.name).tableArn] });
  allow({ actions: ['dynamodb:GetItem'], resources: [tables.kept.tableArn] });
}

/**
 * Objects below a prefix. S3 answers 404 for a missing object to those who may list, 403 to others; whether the
 * implicit check of a GET or HEAD knows a prefix is not documented, so its absence passes.
 *
 * Source: Amazon S3 API Reference, HeadObject, "Permissions"; IAM User Guide, "…IfExists condition operators".
 */
function grantObjects(allow: Allow, { bucketArn }: Bucket, { objects, access }: ObjectUse): void {
  allow({
    // A presigned URL names the version that was judged.
    actions: OBJECTS[access],
    resources: [`${bucketArn}/${objects}*`],
  });
  if (access === 'stage') return;
  allow({
    actions: ['s3:ListBucket'],
    resources: [bucketArn],
    conditions: { StringLikeIfExists: { 's3:prefix': `${objects}*` } },
  });
}

const dynamoDb = (operations: readonly string[]): string[] => operations.map((name) => `dynamodb:${name}`);

const indexArns = ({ tableArn }: TableV2, resource: Resource): string[] =>
  tableOf(resource).indexes.map(({ name }) => `${tableArn}/index/${name}`);
