import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, test } from '@jest/globals';
import { dynamoDb } from '../../shared/aws/clients/dynamodb.ts';
import { config } from '../../shared/aws/config.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { exportItems } from '../../tools/data/export.ts';
import { importItems } from '../../tools/data/import/import.ts';
import { attached, resourceOf } from '../engines/attached.ts';

/** The number of next insertions whose response the network loses. */
let losses = 0;

attached(async (call, pass) => {
  const response = await pass(...call);
  if (losses === 0 || !call[0].headers['x-amz-target']?.endsWith('.PutItem')) return response;
  losses -= 1;
  throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
});

const directory = mkdtempSync(join(tmpdir(), 'resource-api-lost-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('an import replaces an item of a release without versions', async () => {
  const customers = resourceOf('customers');
  const exported = mkdtempSync(join(directory, 'unversioned-'));
  const items = itemsOf(customers, SERVICE);
  const times = { createdAt: 0, updatedAt: 0 };
  await items.insert({ id: 8, version: 2, ...times, values: { name: 'Zoo' }, internal: {} });
  await exportItems({ directory: exported, resources: [customers], history: false }, () => undefined);
  const TableName = config.tableName('customers');
  const Item = { id: { N: '8' }, name: { S: 'Old' } };
  await dynamoDb().send(new PutItemCommand({ TableName, Item }));
  const wanted = {
    directory: exported,
    resources: [customers],
    replaces: false,
    events: false,
  };
  await importItems(wanted, () => undefined);
  expect(await items.get(8)).toMatchObject({ version: 2, values: { name: 'Zoo' } });
  await items.remove(8);
});

test('an import counts an item as written if only the response to the write was lost', async () => {
  const customers = resourceOf('customers');
  const items = itemsOf(customers, SERVICE);
  await items.insert({
    id: 7,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
    values: { name: 'Acme' },
    internal: {},
  });
  await exportItems({ directory, resources: [customers], history: false }, () => undefined);
  // Nothing knows that it existed, so the import needs no transaction.
  const Key = { id: { N: '7' } };
  await dynamoDb().send(new DeleteItemCommand({ TableName: config.tableName('customers'), Key }));
  losses = 1;
  const lines: string[] = [];
  const wanted = { directory, resources: [customers], replaces: false, events: false };
  expect(await importItems(wanted, (line) => lines.push(line))).toEqual({ newer: 0, shared: 0 });
  expect(losses).toBe(0);
  expect(lines.join('\n')).toContain('1 written');
  expect(await items.get(7)).toMatchObject({ version: 1, values: { name: 'Acme' } });
});
