import { describe, expect, test } from '@jest/globals';
import { isTried } from '../../../infra/constructs/stores/trial-grants.ts';
import { registry } from '../../../service/registry.ts';
import { RELATED } from '../../../service/related.ts';
import { DELIVERIES_TABLE } from '../../../shared/events/webhooks/deliveries.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { referencesOf } from '../../../shared/resource/description/references.ts';
import { keptDays, type Resource } from '../../../shared/resource/resource.ts';
import { hasList } from '../../../shared/resource/route.ts';
import { DUE_INDEX, tableOf } from '../../../shared/store/form/table.ts';
import { VERSIONS_TABLE } from '../../../shared/store/history/versions-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { inventoryKey } from '../../../shared/store/write/stored-inventory.ts';
import { BACKGROUND } from '../../house/background.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { ALL } from '../bundles.ts';
import { allowed, statements } from '../permissions.ts';
import { synthesize, target } from '../synthesis.ts';
import { tablesIn, variablesOf } from '../variables.ts';

const service = await synthesize();
const byName = new Map(registry.map((resource) => [resource.name, resource]));
const bucket = service.bucket('objects').id;
const bucketOf = ({ access }: { readonly access: string }) =>
  access === 'published' ? service.bucket('published').id : bucket;

/** The logical id of a resource's table, from its function's environment. */
const tableId = (resource: string): string =>
  tablesIn(service, resource === IDEMPOTENCY_TABLE.name ? 'members' : resource)[resource] ?? '';

/** The logical id of the idempotency table, from the function's environment. */
const keptTable = tableId(IDEMPOTENCY_TABLE.name);
/** The logical ids of the tables of deliveries, and of the queue of events for subscriptions. */
const deliveriesTable = tablesIn(service, 'subscriptions')[DELIVERIES_TABLE.name];
const waitingTable = tablesIn(service, 'subscriptions')[WAITING_TABLE.name];
const webhooksQueue = target(variablesOf(service, 'subscriptions').WEBHOOKS_QUEUE);
/** The logical id of the table of earlier versions. */
const versionsTable = tablesIn(service, 'members')[VERSIONS_TABLE.name];
/** The secret with the key of the hashes of callers, of which the sign-in makes the key of its cookies. */
const secret = service.one('AWS::SecretsManager::Secret').id;
const queue = target(variablesOf(service, 'members').OPERATIONS_QUEUE);

/** The names of the resources that the fields of a resource refer to. */
const referred = ({ description }: Pick<Resource, 'description'>): string[] =>
  description ? referencesOf(description).map(({ to }) => to.resource) : [];

/** The needs that a resource's facts declare. */
function wanted({
  name,
  description,
  table,
  uses: declared,
  relations,
  idempotency,
  deferral,
  binaries,
  history,
  shows,
}: Resource): string[] {
  const bytes = { objects: `binaries/${name}/`, access: 'read-write' } as const;
  const uses = binaries ? [...declared, bytes] : declared;
  const log = target((service.functionOf(name).Properties.LoggingConfig as { LogGroup: unknown }).LogGroup);
  const own = table
    ? [
        ...['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
          (operation) => `dynamodb:${operation} ${tableId(name)}`,
        ),
        ...tableOf(byName.get(name) as Resource).indexes.map(
          (index) => `dynamodb:Query ${tableId(name)}/index/${index.name}`,
        ),
      ]
    : [];
  const others = uses.flatMap((use) => {
    if ('objects' in use) {
      const within = JSON.stringify({ StringLikeIfExists: { 's3:prefix': `${use.objects}*` } });
      return [
        ...(use.access === 'published' || use.access === 'read'
          ? ['GetObject']
          : use.access === 'stage'
            ? ['PutObject', 'AbortMultipartUpload', 'ListMultipartUploadParts']
            : [
                ...['GetObject', 'PutObject', 'DeleteObject'],
                ...(use.access === 'publish' ? ['GetObjectVersion', 'AbortMultipartUpload'] : []),
              ]
        ).map((operation) => `s3:${operation} ${bucketOf(use)}/${use.objects}*`),
        ...(use.access === 'stage' ? [] : [`s3:ListBucket ${bucketOf(use)} if ${within}`]),
        ...('history' in use && use.history ? [`s3:ListBucketVersions ${bucketOf(use)} if ${within}`] : []),
      ];
    }
    if ('writes' in use) return [];
    if ('reads' in use)
      return [
        ...['GetItem', 'BatchGetItem'].map((operation) => `dynamodb:${operation} ${tableId(use.reads.name)}`),
        ...tableOf(use.reads).indexes.map(
          (index) => `dynamodb:Query ${tableId(use.reads.name)}/index/${index.name}`,
        ),
      ];
    const operations = {
      read: ['GetItem'],
      check: ['GetItem', 'ConditionCheckItem'],
      follow: ['Query'],
      wait: ['PutItem'],
    }[use.access];
    return operations.map((operation) => `dynamodb:${operation} ${tableId(use.table)}`);
  });
  const references = referred({ description }).flatMap((to) =>
    ['GetItem', 'BatchGetItem', 'ConditionCheckItem'].map(
      (operation) => `dynamodb:${operation} ${tableId(to)}`,
    ),
  );
  const expanded = Object.values(relations).flatMap(({ to, find }) => [
    `dynamodb:BatchGetItem ${tableId(to.name)}`,
    ...(find
      ? [
          ...['name', to.description.identifier.name].map(
            (field) => `dynamodb:Query ${tableId(to.name)}/index/by_${field}`,
          ),
          `dynamodb:GetItem ${tableId(to.name)} if ${inventoryOnly(to)}`,
        ]
      : []),
  ]);
  const related = (RELATED[name] ?? []).flatMap((list) => [
    ...(list.isPartition
      ? [`${list.field}_by_${list.description.identifier.name}`]
      : [`by_${list.field}`, `by_${list.description.identifier.name}`]
    ).map((index) => `dynamodb:Query ${tableId(list.name)}/index/${index}`),
    ...list.relations.map(({ to }) => `dynamodb:BatchGetItem ${tableId(to.name)}`),
    `dynamodb:GetItem ${tableId(list.name)} if ${inventoryOnly(list)}`,
  ]);
  const listed = (shows ? registry.filter((one) => one.table && hasList(one)) : []).flatMap((one) => [
    ...tableOf(one)
      .indexes.filter((index) => index !== DUE_INDEX)
      .map((index) => `dynamodb:Query ${tableId(one.name)}/index/${index.name}`),
    `dynamodb:GetItem ${tableId(one.name)} if ${inventoryOnly(one)}`,
    ...Object.values(one.relations).map(({ to }) => `dynamodb:BatchGetItem ${tableId(to.name)}`),
  ]);
  const kept = idempotency ? [`dynamodb:GetItem ${keptTable}`, `dynamodb:PutItem ${keptTable}`] : [];
  const deferred = deferral
    ? [
        ...['GetItem', 'PutItem', 'UpdateItem'].map((one) => `dynamodb:${one} ${tableId('operations')}`),
        `dynamodb:DeleteItem ${keptTable}`,
        `sqs:SendMessage ${queue}`,
        `s3:PutObject ${bucket}/operations/*`,
      ]
    : [];
  const needs = [
    `logs:CreateLogStream ${log}`,
    `logs:PutLogEvents ${log}`,
    ...own,
    ...kept,
    ...(history
      ? ['GetItem', 'Query', 'PutItem', 'UpdateItem'].flatMap((one) =>
          ['', '/index/removed'].map((index) => `dynamodb:${one} ${versionsTable}${index}`),
        )
      : []),
    ...(keptDays([{ uses: declared }]) ? [`dynamodb:PutItem ${versionsTable}`] : []),
    ...others,
    ...references,
    ...expanded,
    ...related,
    ...listed,
    ...deferred,
    ...(name === 'subscriptions'
      ? [
          ...['GetItem', 'Query', 'PutItem', 'UpdateItem'].map((one) => `dynamodb:${one} ${deliveriesTable}`),
          `dynamodb:Scan ${tablesIn(service, name).subscriptions}`,
          `dynamodb:PutItem ${waitingTable}`,
          `sqs:SendMessage ${webhooksQueue}`,
        ]
      : []),
    ...(name === 'changes' ? tried() : []),
    ...(['signin', 'mcp'].includes(name) ? [`secretsmanager:GetSecretValue ${secret}`] : []),
  ];
  return [...new Set(needs)].map((one) => `Allow ${one}`).sort();
}

/** What the plan of an undo needs: to read, and to check conditions. */
const tried = (): string[] => [
  ...registry
    .filter(isTried)
    .flatMap((one) => [
      ...['GetItem', 'BatchGetItem', 'ConditionCheckItem'].map(
        (name) => `dynamodb:${name} ${tableId(one.name)}`,
      ),
      ...tableOf(one).indexes.map((index) => `dynamodb:Query ${tableId(one.name)}/index/${index.name}`),
    ]),
  ...['GetItem', 'Query'].map((name) => `dynamodb:${name} ${versionsTable}`),
  ...['GetObject', 'GetObjectVersion'].map((name) => `s3:${name} ${bucket}/files/*`),
  ...['ListBucket', 'ListBucketVersions'].map(
    (name) => `s3:${name} ${bucket} if ${JSON.stringify({ StringLikeIfExists: { 's3:prefix': 'files/*' } })}`,
  ),
];

/** The condition that allows to read the inventory of a table and no item. */
const inventoryOnly = (list: Parameters<typeof inventoryKey>[0]): string => {
  const keys = Object.values(inventoryKey(list)).map(({ N, S }) => N ?? S);
  return JSON.stringify({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys } });
};

test('every resource and every background task has a function, and there is no other', () => {
  const names = service.parts('AWS::Lambda::Function').map(({ Metadata }) => Metadata?.SamResourceId);
  expect(names.sort()).toEqual([...ALL].sort());
});

test('each function is a bundle with all of its files', () => {
  const bundles = service.assets.filter((file) => /^asset\.[0-9a-f]+.index\.js$/.test(file));
  expect(bundles).toHaveLength(ALL.length);
  expect(service.assets.filter((file) => /later\.js$/.test(file))).toHaveLength(ALL.length);
});

test('functions have the memory that decision 42 chose', () => {
  const sizes = {
    ...Object.fromEntries(
      registry.filter(({ table, uses }) => table || uses.length > 0).map(({ name }) => [name, 512]),
    ),
    audit: 128,
    authorizer: 512,
    mcp: 512,
    worker: 1024,
    uploads: 1769,
  };
  const names = [...registry.map(({ name }) => name), ...BACKGROUND];
  const memory = names.map((name) => [name, service.functionOf(name).Properties.MemorySize]);
  expect(Object.fromEntries(memory)).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 256])),
    ...sizes,
  });
});

test('functions of resources end one second before the time-out of API Gateway, and others have their own time', () => {
  const seconds = {
    audit: 30,
    authorizer: 10,
    'dead-letters': 30,
    events: 60,
    fanout: 60,
    'pre-traffic': 90,
    sweeper: 50,
    uploads: 900,
    webhooks: 60,
    worker: 300,
  };
  const names = [...registry.map(({ name }) => name), ...BACKGROUND];
  const times = names.map((name) => [name, service.functionOf(name).Properties.Timeout]);
  expect(Object.fromEntries(times)).toEqual({
    ...Object.fromEntries(names.map((name) => [name, 28])),
    ...seconds,
  });
});

describe.each(registry)('the function of $name', (resource) => {
  const { Properties } = service.functionOf(resource.name);

  test('has a pinned runtime', () => {
    expect(Properties).toMatchObject({
      Runtime: 'nodejs24.x',
      Architectures: ['arm64'],
      Handler: 'index.handler',
    });
  });

  test('has the names and the AWS addresses of its stores', () => {
    const tables = [
      ...(resource.table ? [resource.name] : []),
      ...(resource.deferral ? ['operations'] : []),
      ...resource.uses.flatMap((use) =>
        'table' in use ? [use.table] : 'reads' in use ? [use.reads.name] : [],
      ),
      ...referred(resource),
      ...(resource.shows ? registry.filter((one) => one.table && hasList(one)) : []).map(({ name }) => name),
      ...(RELATED[resource.name] ?? []).flatMap((list) => [
        list.name,
        ...list.relations.map(({ to }) => to.name),
      ]),
    ];
    const variables: Record<string, unknown> = {
      AWS_ENDPOINT_URL_DYNAMODB: '',
      AWS_ENDPOINT_URL_S3: '',
      AWS_ENDPOINT_URL_SQS: '',
      SERVICE: 'resource-api',
      METRICS: 'false',
      AUTH: 'token',
    };
    const named = Object.fromEntries(tables.map((name) => [name, tableId(name)]));
    if (resource.idempotency) named[IDEMPOTENCY_TABLE.name] = keptTable;
    // The row of a removed file is kept with its caller.
    if (resource.history || keptDays([resource])) named[VERSIONS_TABLE.name] = versionsTable ?? '';
    // The names of tables are in cursors of the log, and an undo is tried out.
    if (resource.name === 'changes') {
      for (const one of registry.filter(isTried)) named[one.name] = tableId(one.name);
      named[VERSIONS_TABLE.name] = versionsTable ?? '';
    }
    if (resource.name === 'subscriptions') {
      named[DELIVERIES_TABLE.name] = deliveriesTable ?? '';
      named[WAITING_TABLE.name] = waitingTable ?? '';
      variables.WEBHOOKS_QUEUE = expect.anything();
    }
    expect(tablesIn(service, resource.name)).toEqual(named);
    if (Object.keys(named).length > 0) variables.TABLES = expect.anything();
    if (resource.deferral)
      Object.assign(variables, { OPERATIONS_QUEUE: { Ref: queue }, BUCKET: { Ref: bucket } });
    if (resource.deferral || ['changes', 'operations'].includes(resource.name))
      variables.MAXIMUM_WAITS = '250';
    const objects = resource.uses.find((use) => 'objects' in use);
    if (objects) Object.assign(variables, { BUCKET: { Ref: bucketOf(objects) }, CLIENT_ENDPOINT_URL_S3: '' });
    if (resource.name === 'mcp') variables.AUDIT_SECRET = expect.anything();
    // The function that signs people in verifies their tokens.
    if (resource.name === 'signin')
      Object.assign(variables, {
        ISSUER: expect.anything(),
        SCOPE_PREFIX: 'resource-api/',
        AUDIT_SECRET: expect.anything(),
      });
    expect(Properties.Environment).toEqual({ Variables: variables });
  });

  test('has exactly the permissions of its facts', () => {
    expect(allowed(service, resource.name)).toEqual(wanted(resource));
  });

  test('keeps its earlier versions, so that a roll-back finds them', () => {
    const { id } = service.functionOf(resource.name);
    const versions = service
      .parts('AWS::Lambda::Version')
      .filter(({ Properties: { FunctionName } }) => target(FunctionName) === id);
    expect(versions.map(({ DeletionPolicy }) => DeletionPolicy)).toEqual(['Retain']);
  });

  test('keeps its log for a month', () => {
    const { LogGroup } = Properties.LoggingConfig as { LogGroup: unknown };
    const log = service.byId(target(LogGroup));
    expect(log.Properties.RetentionInDays).toBe(30);
    // The log outlives the stack, but not a first deployment that fails.
    expect(log.DeletionPolicy).toBe('RetainExceptOnCreate');
  });
});

test('no two functions share a role or a log, and each role has its own policy only', () => {
  const functions = service.parts('AWS::Lambda::Function').map(({ Properties }) => Properties);
  const roles = functions.map(({ Role }) => target(Role));
  const logs = functions.map(({ LoggingConfig }) =>
    target((LoggingConfig as { LogGroup: unknown }).LogGroup),
  );
  expect(new Set(roles).size).toBe(functions.length);
  expect(new Set(logs).size).toBe(functions.length);
  const all = service.parts('AWS::IAM::Role').filter(({ id }) => roles.includes(id));
  expect(all).toHaveLength(roles.length);
  for (const { Properties } of all) {
    expect(Properties).not.toHaveProperty('ManagedPolicyArns');
    expect(Properties).not.toHaveProperty('Policies');
  }
});

test('three other roles exist: one logs requests, one invokes functions and one deploys new code', () => {
  const functions = service.parts('AWS::Lambda::Function').map(({ Properties }) => target(Properties.Role));
  const others = service.parts('AWS::IAM::Role').filter(({ id }) => !functions.includes(id));
  expect(others.filter(({ Properties }) => !Properties.ManagedPolicyArns)).toHaveLength(1);
  const policies = others.flatMap(({ Properties }) => JSON.stringify(Properties.ManagedPolicyArns) ?? []);
  expect(policies.sort()).toEqual([
    expect.stringContaining('AWSCodeDeployRoleForLambdaLimited'),
    expect.stringContaining('AmazonAPIGatewayPushToCloudWatchLogs'),
  ]);
});

test('no policy allows all resources', () => {
  for (const { Action, Resource: on } of atLeastOne(statements(service))) {
    expect([on].flat()).not.toContain('*');
    expect([Action].flat().filter((action) => action.includes('*'))).toEqual([]);
  }
});

test('local functions run on this machine, and all of them get the settings', async () => {
  const other = await synthesize({
    local: 'true',
    basePath: '',
    allowedOrigin: 'https://app.example',
    observability: 'none',
    deployment: 'all-at-once',
  });
  for (const { name } of atLeastOne(registry)) {
    const { Properties } = other.functionOf(name);
    expect(Properties.Architectures).toEqual(['x86_64']);
    expect(Properties.Environment).toMatchObject({
      Variables: { BASE_PATH: '', ALLOWED_ORIGIN: 'https://app.example', METRICS: 'false' },
    });
  }
});
