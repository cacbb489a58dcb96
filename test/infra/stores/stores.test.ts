import { describe, expect, test } from '@jest/globals';
import { WORK_SECONDS } from '../../../infra/constructs/stores/queue.ts';
import { tablesOf } from '../../../service/derived/tables.ts';
import { registry } from '../../../service/registry.ts';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { CHANGES_TABLE } from '../../../shared/store/form/log-table.ts';
import { tableOf } from '../../../shared/store/form/table.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { allowed } from '../permissions.ts';
import { type Part, synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize();
const withTable = registry.filter(({ table }) => table);

/** The table in the environment of a resource's function. */
function tablePart(resource: string): Part {
  return service.byId(tablesIn(service, resource)[resource] ?? '');
}

/** The table of recorded answers. */
function keptPart(): Part {
  return service.byId(tablesIn(service, 'members')[IDEMPOTENCY_TABLE.name] ?? '');
}

/** The table of earlier versions. */
function versionsPart(): Part {
  return service.byId(tablesIn(service, 'members')[VERSIONS_TABLE.name] ?? '');
}

/** The table with the log of changes. */
function changesPart(): Part {
  return service.byId(tablesIn(service, 'changes')[CHANGES_TABLE.name] ?? '');
}

/** The tables of deliveries, and of those that wait. */
const deliveriesPart = (): Part =>
  service.byId(tablesIn(service, 'subscriptions')[DELIVERIES_TABLE.name] ?? '');
const waitingPart = (): Part => service.byId(tablesIn(service, 'subscriptions')[WAITING_TABLE.name] ?? '');

interface Key {
  readonly AttributeName: string;
  readonly KeyType: string;
}

const keyed = (keys: unknown) =>
  (keys as Key[]).map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`);

// docs/decisions/0084-references-to-removed-items.md
test.each([
  ['with keys alone if references are cleared', 'own' as const, { clear: 'KEYS_ONLY' }],
  ['not if no reference is', 'guarded' as const, {}],
])('the table of versions has the index of ended items, %s', async (_, name, indexes) => {
  const tables = (await synthesize({}, name)).parts('AWS::DynamoDB::GlobalTable');
  const [versions] = tables.filter(({ Properties }) => keyed(Properties.KeySchema)[1] === 'RANGE version');
  expect(versions).toBeDefined();
  const found = (versions?.Properties.GlobalSecondaryIndexes ?? []) as {
    IndexName: string;
    Projection: { ProjectionType: string };
  }[];
  const projections = found.map(({ IndexName, Projection }) => [IndexName, Projection.ProjectionType]);
  expect(Object.fromEntries(projections)).toEqual({ removed: 'ALL', ...indexes });
});

describe.each(withTable)('the table of $name', (resource) => {
  const { key, indexes, timeToLive } = tableOf(resource);
  const { Properties, DeletionPolicy, UpdateReplacePolicy } = tablePart(resource.name);

  test('has its key, and an index for each order of its lists', () => {
    expect(keyed(Properties.KeySchema)).toEqual([`HASH ${key.name}`]);
    const deployed = (Properties.GlobalSecondaryIndexes as Record<string, unknown>[]).map(
      ({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        keys: keyed(KeySchema),
        Projection,
      }),
    );
    expect(deployed).toEqual(
      indexes.map(({ name, partition, sort }) => ({
        IndexName: name,
        keys: [`HASH ${partition}`, `RANGE ${sort.name}`],
        Projection: { ProjectionType: 'ALL' },
      })),
    );
  });

  test('declares exactly its key attributes with their types', () => {
    const types = new Map<string, string>([[key.name, key.type]]);
    for (const { partition, partitionType, sort } of indexes)
      types.set(partition, partitionType).set(sort.name, sort.type);
    const declared = (
      Properties.AttributeDefinitions as { AttributeName: string; AttributeType: string }[]
    ).map(({ AttributeName, AttributeType }): [string, string] => [AttributeName, AttributeType]);
    expect(new Map(declared)).toEqual(types);
    expect(declared).toHaveLength(types.size);
  });

  test('has a time to live only if items expire', () => {
    expect(Properties.TimeToLiveSpecification).toEqual(
      timeToLive === undefined ? undefined : { AttributeName: timeToLive, Enabled: true },
    );
  });

  test('is on demand, restorable and outlives the stack', () => {
    expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
    const replicas = Properties.Replicas as Record<string, unknown>[];
    expect(replicas).toHaveLength(1);
    expect(replicas[0]).toMatchObject({
      DeletionProtectionEnabled: true,
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    });
    expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
  });
});

test('the idempotency table expires answers after a day and outlives the stack', () => {
  const { Properties, DeletionPolicy, UpdateReplacePolicy } = keptPart();
  expect(keyed(Properties.KeySchema)).toEqual([`HASH ${IDEMPOTENCY_TABLE.key}`]);
  expect(Properties).toMatchObject({
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: IDEMPOTENCY_TABLE.timeToLive, Enabled: true },
  });
  expect(Properties.Replicas).toMatchObject([{ DeletionProtectionEnabled: true }]);
  expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
});

test('exactly the resources with stored items have a table', () => {
  const tables = withTable.map(({ name }) => tablePart(name).id);
  expect(new Set(tables).size).toBe(tables.length);
  tables.push(keptPart().id, versionsPart().id, changesPart().id, deliveriesPart().id, waitingPart().id);
  expect(
    service
      .parts('AWS::DynamoDB::GlobalTable')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(tables.sort());
});

test.each([
  ['earlier versions', versionsPart, ['HASH item', 'RANGE version']],
  ['changes', changesPart, ['HASH partition', 'RANGE position']],
  ['deliveries', deliveriesPart, ['HASH subscription', 'RANGE n']],
])('the table of %s has their key, expires them, and is protected as items are', (_, part, keys) => {
  const { Properties, DeletionPolicy } = part();
  expect(keyed(Properties.KeySchema)).toEqual(keys);
  expect(Properties.TimeToLiveSpecification).toEqual({ AttributeName: 'expires', Enabled: true });
  expect(JSON.stringify(Properties.Replicas)).toContain('"PointInTimeRecoveryEnabled":true');
  expect(DeletionPolicy).toBe(tablePart('members').DeletionPolicy);
});

test('the table of waiting deliveries is not restored, because the log has their events', () => {
  const { Properties } = waitingPart();
  expect(keyed(Properties.KeySchema)).toEqual(['HASH subscription', 'RANGE event']);
  expect(JSON.stringify(Properties.Replicas)).not.toContain('"PointInTimeRecoveryEnabled":true');
  expect(Properties.StreamSpecification).toBeUndefined();
  const indexes = Properties.GlobalSecondaryIndexes as { IndexName: string; KeySchema: unknown }[];
  expect(indexes.map(({ IndexName, KeySchema }) => [IndexName, ...keyed(KeySchema)])).toEqual([
    ['byDue', 'HASH subscription', 'RANGE dueAt'],
    ['due', 'HASH due', 'RANGE nextAt'],
  ]);
});

test('tables stay within the limit of indexes', () => {
  for (const resource of atLeastOne(withTable))
    expect(tableOf(resource).indexes.length).toBeLessThanOrEqual(20);
});

test('the bucket is private, versioned and outlives the stack', () => {
  const { Properties, DeletionPolicy, UpdateReplacePolicy } = service.bucket('objects');
  expect(Properties).toMatchObject({
    PublicAccessBlockConfiguration: {
      BlockPublicAcls: true,
      BlockPublicPolicy: true,
      IgnorePublicAcls: true,
      RestrictPublicBuckets: true,
    },
    OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] },
    VersioningConfiguration: { Status: 'Enabled' },
    LifecycleConfiguration: {
      Rules: [
        {
          AbortIncompleteMultipartUpload: { DaysAfterInitiation: 2 },
          NoncurrentVersionExpiration: { NoncurrentDays: 30 },
          ExpiredObjectDeleteMarker: true,
          Status: 'Enabled',
        },
        { Prefix: 'operations/', ExpirationInDays: 8, Status: 'Enabled' },
        {
          Prefix: 'uploads/',
          ExpirationInDays: 2,
          NoncurrentVersionExpiration: { NoncurrentDays: 1 },
          Status: 'Enabled',
        },
      ],
    },
  });
  expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['Retain', 'Retain']);
});

test('browsers may read responses of the bucket after a redirect, and upload', () => {
  const { CorsConfiguration } = service.bucket('objects').Properties as {
    CorsConfiguration: { CorsRules: Record<string, string[]>[] };
  };
  expect(CorsConfiguration.CorsRules).toHaveLength(1);
  expect(CorsConfiguration.CorsRules[0]).toMatchObject({
    AllowedOrigins: ['*'],
    AllowedMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
    ExposedHeaders: expect.arrayContaining(['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Length']),
  });
});

test.each(['AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy'])(
  '%s refuses unencrypted connections',
  (type) => {
    for (const { Properties } of atLeastOne(service.parts(type))) {
      expect((Properties.PolicyDocument as { Statement: unknown[] }).Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Deny',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          Principal: { AWS: '*' },
        }),
      );
    }
  },
);

// Specification 7.15
test('queues set a message aside for two weeks after ten attempts, or at the end of the schedule of webhooks', () => {
  const queues = service.parts('AWS::SQS::Queue');
  const waiting = queues.filter(({ Properties }) => Properties.RedrivePolicy);
  expect(waiting.map(({ id }) => id.replace(/[0-9A-F]{8}$/, ''))).toEqual(
    expect.arrayContaining(['operationswaiting', 'uploadswaiting']),
  );
  const isOfWebhooks = ({ id }: Part) => id.includes('webhooks');
  expect(waiting.filter(isOfWebhooks)).toHaveLength(3);
  for (const part of waiting) {
    const { Properties } = part;
    const maxReceiveCount = part.id.includes('webhookswaiting') ? 1000 : 10;
    expect(Properties.RedrivePolicy).toMatchObject({ maxReceiveCount });
    const { RedrivePolicy, VisibilityTimeout } = Properties as {
      RedrivePolicy: { deadLetterTargetArn: unknown };
      VisibilityTimeout: number;
    };
    const dead = service.byId(target(RedrivePolicy.deadLetterTargetArn));
    expect(dead.Type).toBe('AWS::SQS::Queue');
    expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * (isOfWebhooks(part) ? 60 : WORK_SECONDS));
    expect(dead.Properties.MessageRetentionPeriod).toBe(14 * 24 * 3600);
  }
  expect(service.parts('AWS::SQS::QueuePolicy')).toHaveLength(queues.length);
});

const PINNED = [
  'objects7623FC4F',
  'operationsdead978716F8',
  'operationswaiting032231E4',
  'tablescustomers5ECFC4E7',
  'tablesfiles4E20BC6D',
  'tablesmembersDDAA7B6F',
  'tablesoperations18CFDEBA',
  'tablesordersFAA781B9',
  'tablesproducts26EB422B',
  'uploadsdead5348F5B7',
  'uploadswaiting5070183E',
];

/** A store whose logical id changes is replaced by an empty one, and its data is left behind. */
test('stores keep their logical ids', () => {
  const ids = [
    ...service.parts('AWS::DynamoDB::GlobalTable'),
    ...service.parts('AWS::S3::Bucket'),
    ...service.parts('AWS::SQS::Queue'),
  ].map(({ id }) => id);
  expect(PINNED.filter((id) => !ids.includes(id))).toEqual([]);
});

describe('an adopted table', () => {
  const table = 'arn:aws:dynamodb:eu-west-1:111122223333:table/orders-restored';
  const stream = `${table}/stream/2026-11-21T09:00:00.000`;

  test('replaces each table of the stack in environments, permissions and streams', async () => {
    const all = tablesOf(registry);
    const arnOf = (name: string) => `arn:aws:dynamodb:eu-west-1:111122223333:table/restored-${name}`;
    const adoptedTables = all.map(({ resource }) => `${resource}=${arnOf(resource)}`).join(',');
    const adopting = await synthesize({ adoptedTables });
    expect(all.length).toBeGreaterThan(10);
    expect(service.parts('AWS::DynamoDB::GlobalTable')).toHaveLength(all.length);
    expect(adopting.parts('AWS::DynamoDB::GlobalTable')).toEqual([]);
    for (const { resource } of all.filter(({ hasStream }) => hasStream))
      expect(tablesIn(adopting, 'events')[resource]).toBe(`restored-${resource}`);
    // The deployment reads the streams itself.
    const read = adopting.parts('Custom::AWS');
    expect(read).toHaveLength(all.filter(({ hasStream }) => hasStream).length);
    const sources = adopting
      .parts('AWS::Lambda::EventSourceMapping')
      .map(({ Properties }) => JSON.stringify(Properties.EventSourceArn));
    for (const { id } of read)
      expect(sources).toContainEqual(expect.stringContaining(`"${id}","Table.LatestStreamArn"`));
  });

  test('can be named by the ARN of its stream', async () => {
    const adopting = await synthesize({ adoptedTables: `orders=${stream}` });
    for (const name of ['orders', 'customers']) {
      expect(tablesIn(adopting, name).orders).toBe('orders-restored');
    }
    const mappings = adopting.parts('AWS::Lambda::EventSourceMapping');
    expect(mappings.map(({ Properties }) => Properties.EventSourceArn)).toContain(stream);
    const policies = JSON.stringify(adopting.parts('AWS::IAM::Policy'));
    for (const arn of [table, `${table}/index/by_orderId`, stream]) expect(policies).toContain(`"${arn}"`);
    expect(adopting.parts('Custom::AWS')).toEqual([]);
  });

  test('belongs to a resource, and is refused if the stack would delete the table before it', async () => {
    await expect(synthesize({ adoptedTables: `trees2=${stream}` })).rejects.toThrow(
      'adoptedTables names trees2: tables belong to',
    );
    await expect(synthesize({ adoptedTables: `orders=${stream}`, data: 'destroy' })).rejects.toThrow(
      'use data=retain',
    );
    await expect(synthesize({ adoptedTables: 'orders=orders-restored' })).rejects.toThrow(
      'adoptedTables must be NAME=ARN of a table',
    );
  });
});

describe('an adopted bucket', () => {
  const name = 'shop-objects-copy';

  test('replaces the bucket of the stack in environments and permissions, and its queues take notifications', async () => {
    const adopting = await synthesize({ adoptedBucket: name });
    const own = service.bucket('objects').id;
    expect(adopting.parts('AWS::S3::Bucket').map(({ id }) => id)).toEqual([service.bucket('published').id]);
    expect(adopting.text).not.toContain(own);
    const lambdas = service
      .parts('AWS::Lambda::Function')
      .flatMap(({ Metadata }) => (Metadata?.SamResourceId === undefined ? [] : [`${Metadata.SamResourceId}`]))
      .filter((one) => target(variablesOf(service, one).BUCKET ?? {}) === own);
    expect(lambdas).toEqual(expect.arrayContaining(['files', 'members', 'events', 'uploads', 'worker']));
    for (const one of lambdas) {
      expect(variablesOf(adopting, one).BUCKET).toBe(name);
      const expected = allowed(service, one).map((line) =>
        line.replaceAll(own, `arn:AWS::Partition:s3:::${name}`),
      );
      expect(allowed(adopting, one)).toEqual(expected.sort());
    }
    for (const type of ['AWS::SQS::QueuePolicy', 'AWS::CloudWatch::Alarm'])
      expect(adopting.parts(type)).toEqual(service.parts(type));
  });

  test('has a valid name, and the stack must not delete the one before it', async () => {
    await expect(synthesize({ adoptedBucket: 'Shop.Copy' })).rejects.toThrow('must be the name of a bucket');
    await expect(synthesize({ adoptedBucket: name, data: 'destroy' })).rejects.toThrow('use data=retain');
  });
});
