import { describe, expect, test } from '@jest/globals';
import { REAL } from '../../../engines/test/clients.ts';
import { backfill } from '../../../functions/worker/backfill/backfill.ts';
import { claim } from '../../../functions/worker/claim.ts';
import { promisesOf, type Released, unreadableForms } from '../../../infra/stored.ts';
import { begin } from '../../../shared/operations/accepting/defer.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import { boolean, integer, text } from '../../../shared/resource/description/fields.ts';
import { newIdentifier } from '../../../shared/store/write/new-item.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { attached, type Call } from '../attached.ts';
import { collectLog } from '../collected-log.ts';
import { request } from '../request.ts';
import { type Deployment, deploy } from './deployment.ts';
import { type Release, released } from './release.ts';
import { expectAll, type Things, write } from './things.ts';

collectLog();

/** The names of the indexes of each deployed table. A table outlives its resource. */
const indexes = new Map<string, ReadonlySet<string>>();

attached((call, pass) => {
  const [request] = call;
  const isDynamoDb = request.headers['x-amz-target']?.startsWith('DynamoDB_') ?? false;
  if (isDynamoDb) refuseMissingIndex(textOf(request));
  return isDynamoDb && REAL.dynamodb ? overNetwork(request) : pass(...call);
});

/** The JSON of a call. */
const textOf = ({ body }: Pick<Call, 'body'>): string => new TextDecoder().decode(body as Uint8Array);

/** Sends a call to DynamoDB Local. */
async function overNetwork({ headers, body }: Call) {
  const address = process.env.AWS_ENDPOINT_URL_DYNAMODB as string;
  const { host: _, 'content-length': __, ...others } = headers;
  const response = await fetch(address, { method: 'POST', headers: others, body: textOf({ body }) });
  return {
    response: {
      statusCode: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    },
  };
}

/** Answers as DynamoDB for an index that the template does not have: the engines never delete one. */
function refuseMissingIndex(body: string): void {
  const { TableName, IndexName } = JSON.parse(body);
  if (IndexName === undefined || !/-things\d+$/.test(TableName)) return;
  if (indexes.get(TableName)?.has(IndexName)) return;
  const message = `The table does not have the specified index: ${IndexName}`;
  throw Object.assign(new Error(message), { name: 'ValidationException' });
}

const LABEL = { field: text('Label'), fact: 'label' };
const RANK = { field: integer('Rank'), fact: 'rank' };
const COLOR = { field: text('Color'), fact: 'color' };
const OWNER = { field: integer('Owner', { isId: true }), fact: 'owner' };
const PROPERTIES = { label: LABEL, rank: RANK };
const LATER = { ...PROPERTIES, color: COLOR };
/** `label` has another name. */
const RENAMED = { title: { ...LABEL, field: text('Title', { was: 'label' }) }, rank: RANK };
const padded = (value: unknown) => String(value).padStart(4, '0');
/** `rank` has another type. */
const RETYPED = {
  label: LABEL,
  rank: { field: text('Rank', { earlier: { before: 2, read: padded } }), fact: 'rank', as: padded },
};
/** `rank` as before, also of items that the next release stores. */
const READS_LATER = {
  label: LABEL,
  rank: { field: integer('Rank', { later: { from: 2, read: Number } }), fact: 'rank' },
};
const CODE = { field: integer('Code', { unique: true }), fact: 'code' };
/** The color as true or false: the property has one type in a release, and another type in the next one. */
const isRed = (color: unknown) => color === 'red';
const BOOLEAN = { ...PROPERTIES, color: { field: boolean('Red'), fact: 'color', as: isRed } };
const FROM_TEXT = boolean('Red', { earlier: { before: 2, read: isRed } });
const FROM_BOOLEAN = text('Color', { earlier: { before: 2, read: (red) => (red ? 'red' : 'blue') } });

type Definition = Parameters<typeof released>[1];
const FIRST: Definition = { properties: PROPERTIES, sortable: ['label'] };
const MORE: Definition = { ...FIRST, sortable: ['label', 'rank'] };
const NESTED = { properties: { ...PROPERTIES, owner: OWNER }, partitions: ['owner'] };

/** The upgrade paths: the definitions of one or two tables, in each release. */
const PATHS: [title: string, releases: readonly (readonly Definition[])[]][] = [
  ['the same definition again', [[FIRST], [FIRST]]],
  [
    'one more order of two resources',
    [
      [FIRST, FIRST],
      [MORE, MORE],
    ],
  ],
  [
    'one more order of nested lists, which has two indexes',
    [[{ ...NESTED, sortable: ['label'] }], [{ ...NESTED, sortable: ['label', 'rank'] }]],
  ],
  ['a renamed property with an order', [[FIRST], [{ properties: RENAMED, sortable: ['title'] }]]],
  ['a property of another type', [[FIRST], [{ ...FIRST, version: 2, properties: RETYPED }]]],
  ['a property of another type with an order', [[MORE], [{ ...MORE, version: 2, properties: RETYPED }]]],
  [
    'a text that becomes true or false',
    [
      [{ ...FIRST, properties: LATER }],
      [{ ...FIRST, version: 2, properties: { ...BOOLEAN, color: { ...BOOLEAN.color, field: FROM_TEXT } } }],
    ],
  ],
  [
    'true or false that becomes a text',
    [
      [{ ...FIRST, properties: BOOLEAN }],
      [{ ...FIRST, version: 2, properties: { ...LATER, color: { ...COLOR, field: FROM_BOOLEAN } } }],
    ],
  ],
  ['a new property', [[FIRST], [{ ...FIRST, properties: LATER }]]],
  ['a new property with an order', [[FIRST], [{ properties: LATER, sortable: ['label', 'color'] }]]],
  [
    'a removed property, which comes back',
    [[{ ...FIRST, properties: LATER }], [FIRST], [{ ...FIRST, properties: LATER }]],
  ],
  ['a removed order, which comes back', [[MORE], [FIRST], [MORE]]],
  ['more shards', [[FIRST], [{ ...FIRST, shards: 16 }]]],
  [
    'fewer shards, and more of them again',
    [[{ ...FIRST, shards: 8 }], [{ ...FIRST, shards: 2 }], [{ ...FIRST, shards: 16 }]],
  ],
  ['two more orders', [[FIRST], [{ properties: LATER, sortable: ['label', 'rank', 'color'] }]]],
  [
    'a new list, with an order',
    [[{ properties: NESTED.properties, sortable: ['label'] }], [{ ...NESTED, sortable: ['label'] }]],
  ],
  ['a unique property', [[FIRST], [{ ...FIRST, properties: { ...PROPERTIES, code: CODE } }]]],
  [
    'a property of another type, with a release between that reads it',
    [[MORE], [{ ...MORE, properties: READS_LATER }], [{ ...MORE, version: 2, properties: RETYPED }]],
  ],
  ['a new resource', [[FIRST], [FIRST, FIRST]]],
  ['a removed resource, which comes back', [[FIRST, FIRST], [FIRST], [FIRST, FIRST]]],
];

let tables = 0;

// Each call reads the inventory, and no backfill waits.
process.env.INVENTORY_SECONDS = '0';

// Specification 13.1 to 13.3
describe.each([
  ['with a record of each release', true],
  ['without a record of releases', false],
])('%s', (_, isRecorded) => {
  test.each(PATHS)(
    'no deployment and no roll-back loses, hides or refuses an item: %s',
    async (_, path) => {
      const number = tables;
      tables += 2;
      const [first = [], ...later] = path.map((definitions) =>
        definitions.map((definition, index) => released(`things${number + index}`, definition)),
      );
      const things: Things = new Map();
      const record = (releases: readonly Release[], before: Released) =>
        isRecorded ? recorded(releases, before) : before;
      let file = record(first, {});
      let running = await deploy(first, file);
      template(running);
      for (let count = 0; count < 3; count += 1) await write(running, things);
      await expectAll(running, things);

      for (const releases of atLeastOne(later)) {
        const unreadable = releases.flatMap(({ resource }) => unreadableForms(resource, file[resource.name]));
        expect(unreadable).toEqual([]);
        // The deployments that the indexes need, each with the record of the one before.
        for (let before: Released | undefined; JSON.stringify(before) !== JSON.stringify(file); ) {
          running = await upgrade(running, await deploy(releases, file), things);
          before = file;
          file = record(releases, file);
        }
        for (const release of releases) await backfilled(release);
        await expectAll(running, things);
        await write(running, things);
        await expectAll(running, things);
      }
    },
    60_000,
  );
});

// Specification 13.4
test.each<[string, Definition, Definition]>([
  ['items get owners', FIRST, { ...FIRST, owner: 'subject' }],
  ['items lose their owners', { ...FIRST, owner: 'subject' }, FIRST],
])('a deployed release refuses lists and writes if %s', async (_, before, after) => {
  const name = `things${tables}`;
  tables += 1;
  const [first, second] = [released(name, before), released(name, after)];
  const running = await deploy([first], {});
  template(running);
  Object.assign(process.env, running.environment);
  expect((await request(first.resource, 'POST', `/${name}`, { label: 'one' })).status).toBe(201);
  const deployment = await deploy([second], {});
  template(deployment);
  Object.assign(process.env, deployment.environment);
  const refused = { status: 503, body: { detail: expect.stringContaining('other owners') } };
  expect(await request(second.resource, 'GET', `/${name}`)).toMatchObject(refused);
  expect(await request(second.resource, 'POST', `/${name}`, { label: 'two' })).toMatchObject(refused);
});

/** Gives the tables the indexes of a template. */
function template(deployment: Deployment): void {
  for (const [table, own] of deployment.indexes) indexes.set(table, own);
}

/** The file after a release. */
const recorded = (releases: readonly Release[], before: Released): Released => ({
  ...before,
  ...promisesOf(
    releases.map(({ resource }) => resource),
    before,
  ),
});

/** Deploys: a canary, in which both releases run; a roll-back; a second canary, and its end. */
async function upgrade(before: Deployment, after: Deployment, things: Things): Promise<Deployment> {
  for (const isKept of [false, true]) {
    template(after);
    for (const one of [after, before]) await write(one, things);
    for (const one of [before, after]) await expectAll(one, things);
    const kept = isKept ? after : before;
    template(kept);
    await write(kept, things);
    await expectAll(kept, things);
  }
  return after;
}

/** Runs the whole backfill as the worker does. */
async function backfilled({ resource }: Release): Promise<void> {
  const now = Date.now();
  const id = newIdentifier(now);
  await begin(
    { caller: SERVICE, now },
    { kind: `${resource.name}.backfill`, id, handler: 'backfill', dueAt: now },
  );
  const claimed = await claim(id, now + 60_000);
  if (!claimed) throw new Error('The operation has no lease');
  expect(await backfill(resource, claimed.work)).toMatchObject({
    kind: 'completed',
    checkpoint: { failed: 0 },
  });
}
