import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Resource, Use } from '../../shared/resource/resource.ts';
import { tableOf } from '../../shared/store/table.ts';
import type { Tables } from './tables.ts';

/** What functions keep things in. */
export interface Stores {
  readonly tables: Tables;
  readonly bucket: Bucket;
}

const OWN_ITEMS = ['GetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'];
const KEPT_ANSWERS = ['GetItem', 'PutItem'];
/** A check in a transaction is a permission of its own. Source: Amazon DynamoDB Developer Guide, "Using IAM with transactions". */
const NEIGHBOUR_ITEMS = {
  read: ['GetItem'],
  check: ['GetItem', 'ConditionCheckItem'],
  count: ['GetItem', 'ConditionCheckItem', 'UpdateItem'],
} as const;
const OBJECTS = {
  read: ['s3:GetObject'],
  'read-write': ['s3:GetObject', 's3:GetObjectVersion', 's3:PutObject', 's3:DeleteObject'],
  /** To read and write, also in parts. */
  upload: [
    's3:GetObject',
    's3:GetObjectVersion',
    's3:PutObject',
    's3:DeleteObject',
    's3:AbortMultipartUpload',
    's3:ListMultipartUploadParts',
  ],
};

/** Lets the function of a resource do what its facts say, and nothing beside: no scan, no table of others, no `*`. */
export function grantFacts(grantee: IGrantable, resource: Resource, { tables, bucket }: Stores): void {
  const allow = (statement: ConstructorParameters<typeof PolicyStatement>[0]) =>
    grantee.grantPrincipal.addToPrincipalPolicy(new PolicyStatement(statement));

  if (resource.table) {
    const table = tables.of(resource.name);
    allow({ actions: dynamoDb(OWN_ITEMS), resources: [table.tableArn] });
    allow({ actions: ['dynamodb:Query'], resources: indexArns(table, resource) });
  }
  if (resource.actions.recall) allow({ actions: dynamoDb(KEPT_ANSWERS), resources: [tables.kept.tableArn] });
  for (const use of resource.uses) {
    if ('table' in use) {
      const { tableArn } = tables.of(use.table);
      allow({ actions: dynamoDb(NEIGHBOUR_ITEMS[use.access]), resources: [tableArn] });
    } else grantObjects(allow, bucket, use);
  }
}

/**
 * Objects below a prefix. S3 answers 404 for a missing object to those who may list, 403 to others; whether the
 * implicit check of a GET or HEAD knows a prefix is not documented, so its absence passes.
 *
 * Source: Amazon S3 API Reference, HeadObject, "Permissions"; IAM User Guide, "…IfExists condition operators".
 */
function grantObjects(
  allow: (statement: ConstructorParameters<typeof PolicyStatement>[0]) => void,
  { bucketArn }: Bucket,
  { objects, access }: Extract<Use, { objects: string }>,
): void {
  allow({
    // A presigned URL names the version that was judged.
    actions: OBJECTS[access],
    resources: [`${bucketArn}/${objects}*`],
  });
  allow({
    actions: ['s3:ListBucket'],
    resources: [bucketArn],
    conditions: { StringLikeIfExists: { 's3:prefix': `${objects}*` } },
  });
}

const dynamoDb = (operations: readonly string[]): string[] => operations.map((name) => `dynamodb:${name}`);

const indexArns = ({ tableArn }: TableV2, resource: Resource): string[] =>
  tableOf(resource).indexes.map(({ name }) => `${tableArn}/index/${name}`);
