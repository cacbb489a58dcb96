import type { IGrantable } from 'aws-cdk-lib/aws-iam';
import { FILES } from '../../../shared/files/uploads/record.ts';
import { keptDays, type Resource } from '../../../shared/resource/resource.ts';
import { tableOf } from '../../../shared/store/form/table.ts';
import { allowing, dynamoDb, type Stores } from './grants.ts';

/** To read items one by one, and to check the conditions of the writes that do not happen. */
const TRIED = ['GetItem', 'BatchGetItem', 'ConditionCheckItem'];

/** True if an undo may concern the items of a resource. */
export const isTried = ({ table, tracked }: Resource): boolean => table !== undefined && !tracked;

/**
 * Permissions to try an undo out, for its plan: to read all items, their lists and their versions, and the versions of files.
 * They allow no write.
 */
export function grantTrial(grantee: IGrantable, resources: readonly Resource[], stores: Stores): void {
  const { tables, bucket } = stores;
  const allow = allowing(grantee);
  for (const one of resources) {
    const { tableArn } = tables.of(one.name);
    allow({ actions: dynamoDb(TRIED), resources: [tableArn] });
    const indexes = tableOf(one).indexes.map(({ name }) => `${tableArn}/index/${name}`);
    allow({ actions: ['dynamodb:Query'], resources: indexes });
  }
  if (tables.versions)
    allow({ actions: dynamoDb(['GetItem', 'Query']), resources: [tables.versions.tableArn] });
  if (keptDays(resources) === undefined) return;
  allow({ actions: ['s3:GetObject', 's3:GetObjectVersion'], resources: [`${bucket.bucketArn}/${FILES}*`] });
  allow({
    actions: ['s3:ListBucket', 's3:ListBucketVersions'],
    resources: [bucket.bucketArn],
    conditions: { StringLikeIfExists: { 's3:prefix': `${FILES}*` } },
  });
}
