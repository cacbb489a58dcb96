import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { config, tableIn, tablesText } from '../../../shared/aws/config.ts';
import { configureLog } from '../../../shared/aws/log.ts';
import { WAITING_TABLE } from '../../../shared/events/webhooks/waiting-table.ts';
import { IDEMPOTENCY_TABLE } from '../../../shared/store/idempotency/answers.ts';
import { itemRows } from '../../../shared/store/items/read-items.ts';
import { RESOURCES, TABLES } from '../../../tools/data/place.ts';
import { reconcileHistory } from '../../../tools/data/restore/reconcile-history.ts';
import { restore } from '../../../tools/data/restore/restore.ts';
import { type Receiver, startReceiver } from '../../conformance/subscriptions/receiver.ts';
import { collectLog } from '../../engines/collected-log.ts';
import { type Deliveries, startDeliveries } from '../../faults/webhooks/harness.ts';
import { testTime, timePasses } from '../../support/clock.ts';
import { copy } from './copy.ts';

const MINUTE = 60_000;
const directory = mkdtempSync(join(tmpdir(), 'resource-api-adoption-'));

let receiver: Receiver;
let service: Deliveries;
beforeAll(async () => {
  process.env.WEBHOOK_PAUSES = '60 300 1800 7200 21600 43200';
  collectLog();
  [receiver, service] = [await startReceiver(), await startDeliveries()];
  service.through(async (call, pass) => {
    const operation = String(call[0].headers['x-amz-target']).replace(/^.*\./, '');
    const input = () => JSON.parse(new TextDecoder().decode(call[0].body as Uint8Array));
    const isOfAws = /^(RestoreTable|UpdateContinuousBackups|UpdateTable$)/.test(operation);
    if (!isOfAws || 'StreamSpecification' in input()) return pass(...call);
    if (operation === 'RestoreTableToPointInTime')
      await copy(input().SourceTableName, input().TargetTableName);
    return { response: { statusCode: 200, headers: {}, body: Buffer.from('{}') } };
  });
}, 40_000);
afterAll(async () => {
  configureLog();
  await service.close();
  await receiver.stop();
  rmSync(directory, { recursive: true });
});

const subscribe = async (path: string): Promise<string> => {
  const json = { url: receiver.url + path, types: ['customer.*', 'product.*'] };
  return String((await service.client('POST', '/subscriptions', { json })).headers.location);
};
const change = async (name: string): Promise<void> => {
  for (const path of ['/customers', '/products'])
    expect((await service.client('POST', path, { json: { name: `${name} ${path}` } })).status).toBe(201);
};
const statusOf = async (path: string) => {
  const { status, json } = await service.client('GET', path);
  return status === 200 ? json().status : status;
};
const namesAt = (path: string) => receiver.at(path).map(({ event }) => String(event.data?.name));
const both = (...names: string[]) => names.flatMap((name) => [`${name} /customers`, `${name} /products`]);
const settle = async (minutes: number) => {
  for (let turn = 0; turn < 3; turn += 1) {
    await service.settle();
    timePasses(minutes * MINUTE);
  }
  await service.settle();
};

/** The service uses the tables in a file of `restore`, and its own ones of the others. */
function adopt(file: string): void {
  const { TABLES: restored } = JSON.parse(readFileSync(file, 'utf8'));
  const own = process.env.TABLES ?? '';
  const names = Object.fromEntries(
    [...TABLES.map(({ resource }) => resource), WAITING_TABLE.name, IDEMPOTENCY_TABLE.name].map((name) => [
      name,
      tableIn(restored, name) ?? tableIn(own, name) ?? '',
    ]),
  );
  process.env.TABLES = tablesText(names);
}

async function loseWaiting(): Promise<void> {
  const TableName = config.tableName(WAITING_TABLE.name);
  for await (const { subscription, event } of itemRows(TableName)) {
    const Key = { subscription, event } as Record<string, NonNullable<typeof event>>;
    await dynamoDb().send(new DeleteItemCommand({ TableName, Key }));
  }
}

// Specification 18.9. docs/recovery.md, "Recover in this region", says what is missing and what comes again.
test.each([
  { title: 'the events that wait', isLost: false, minutes: 60, again: [], waited: ['before'] },
  { title: 'no events that wait', isLost: true, minutes: 60, again: [], waited: [] },
  {
    title: 'no events that wait, within ten minutes',
    isLost: true,
    minutes: 2,
    again: ['before'],
    waited: ['before'],
  },
])(
  'tables of another second and $title: subscriptions of that second get what follows',
  async ({ title, isLost, minutes, again, waited }) => {
    const name = title.replace(/\W/g, '-');
    const quick = { to: `/204/${name}`, at: await subscribe(`/204/${name}`) };
    const late = { to: `/fails/4/${name}`, at: await subscribe(`/fails/4/${name}`) };
    await change('before');
    await service.settle();
    const place = join(directory, name);
    await restore({ directory: place, tables: TABLES, at: testTime(), pause: 1 }, () => undefined);
    const later = { to: `/204/later/${name}`, at: await subscribe(`/204/later/${name}`) };
    await change('lost');
    await service.settle();
    expect((await service.client('DELETE', quick.at)).status).toBe(204);
    const sent = both('before', 'lost').sort();
    expect([quick, late].map(({ to }) => namesAt(to).sort())).toEqual([sent, sent]);

    adopt(join(place, 'worker.json'));
    if (isLost) await loseWaiting();
    for (const resource of RESOURCES) await reconcileHistory(resource, () => undefined);
    timePasses(minutes * MINUTE);
    await change('after');
    await settle(1);
    expect(await Promise.all([quick, late, later].map(({ at }) => statusOf(at)))).toEqual([
      'active',
      'active',
      404,
    ]);
    const since = ({ to }: { readonly to: string }) => namesAt(to).slice(sent.length).sort();
    expect(since(quick)).toEqual(both('after', ...again).sort());
    expect(since(late)).toEqual(both('after', ...waited).sort());
    expect(namesAt(later.to).sort()).toEqual(both('lost').sort());
    const { items } = (await service.client('GET', `${late.at}/deliveries`)).json();
    const reasons = items.map(({ reason }) => String(reason ?? ''));
    if (!isLost) expect(reasons).toContainEqual(expect.stringMatching(/^Events before \S+ can be missing$/));
  },
);
