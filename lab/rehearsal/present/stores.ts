import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import type { TableMade, There } from '../moto.ts';
import { type Deployed, ofType, type Properties, physical } from './deployed.ts';

/** Checks keys, indexes, protection, backups and streams of the tables. */
export function tables({ template, there }: Deployed): void {
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::DynamoDB::GlobalTable')) {
    const made = there.tables[physical(there, id)];
    ok(made, id);
    const [replica = {}] = Properties.Replicas as Properties[];
    deepStrictEqual(madeOf(made), {
      KeySchema: Properties.KeySchema,
      GlobalSecondaryIndexes: Properties.GlobalSecondaryIndexes ?? [],
      BillingMode: Properties.BillingMode,
      protected: replica.DeletionProtectionEnabled ?? false,
      streams: Properties.StreamSpecification !== undefined,
      expires: (Properties.TimeToLiveSpecification as Properties | undefined)?.AttributeName,
      restorable: replica.PointInTimeRecoverySpecification !== undefined,
    });
  }
}

const madeOf = (made: TableMade) => ({
  KeySchema: made.KeySchema,
  GlobalSecondaryIndexes: (made.GlobalSecondaryIndexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  })),
  BillingMode: made.BillingModeSummary.BillingMode,
  protected: made.DeletionProtectionEnabled,
  streams: made.LatestStreamArn !== undefined,
  expires: made.TimeToLive.AttributeName,
  restorable: made.Backups.PointInTimeRecoveryDescription.PointInTimeRecoveryStatus === 'ENABLED',
});

/** Checks times and dead-letter queues of the queues. */
export function queues({ template, there }: Deployed): void {
  for (const [id, { Properties = {} }] of ofType(template, 'AWS::SQS::Queue')) {
    const made = queue(there, id);
    ok(made, id);
    strictEqual(made.VisibilityTimeout, String(Properties.VisibilityTimeout ?? 30), id);
    strictEqual(made.MessageRetentionPeriod, String(Properties.MessageRetentionPeriod ?? 345_600), id);
    const redrive = Properties.RedrivePolicy as
      | { deadLetterTargetArn: { 'Fn::GetAtt': [string] } }
      | undefined;
    if (redrive === undefined) continue;
    const dead = queue(there, redrive.deadLetterTargetArn['Fn::GetAtt'][0]);
    strictEqual(JSON.parse(made.RedrivePolicy as string).deadLetterTargetArn, dead?.QueueArn, id);
  }
}

/** Finds a queue by its name, because the host in its URL depends on the host of the request. */
function queue(there: There, id: string) {
  const nameOf = (url: string) => url.split('/').at(-1);
  const name = nameOf(physical(there, id));
  return Object.entries(there.queues).find(([url]) => nameOf(url) === name)?.[1];
}
