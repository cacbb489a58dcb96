import { expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { fromAttributes, toAttributes } from '../../../shared/store/form/attributes.ts';
import { importedAttributes } from '../../../tools/data/import/imported-attributes.ts';

const members = registry.find(({ name }) => name === 'members') as Resource;
const item = {
  id: 7,
  version: 3,
  createdAt: 1000,
  updatedAt: 2000,
  values: { name: 'Anne', rate: 1, list: [1] },
  internal: {},
};
const exported = toAttributes(members, item, 4);
const imported = { tags: new Map<string, string>(), events: false, shards: 2 };

test('an imported item is the exported one, with the shard and the sort keys of this service', () => {
  const stored = importedAttributes({ ...members, sortable: ['name'] }, exported, imported);
  if (!members.description) throw new Error('members have no description');
  expect(fromAttributes(members.description, stored)).toEqual(fromAttributes(members.description, exported));
  expect(stored).toMatchObject({ _shard: { N: '1' }, _by_name: exported._by_name });
  expect(stored).not.toHaveProperty('_by_age');
});

test('an imported version is marked, unless it has an event', () => {
  expect(importedAttributes(members, exported, imported)._imported).toEqual({ N: '3' });
  const again = importedAttributes(members, exported, imported);
  expect(importedAttributes(members, again, { ...imported, events: true })).not.toHaveProperty('_imported');
});

test('an item that replaces a newer one has a newer version and a new time', () => {
  const change = { version: 9, updatedAt: 5000 };
  const stored = importedAttributes(members, exported, { ...imported, change });
  expect(stored).toMatchObject({
    _version: { N: '9' },
    _updated: { N: '5000' },
    _created: { N: '1000' },
    _imported: { N: '9' },
  });
});

test('a listing row has the entity tag of the imported object', () => {
  const files = registry.find(({ name }) => name === 'files') as Resource;
  const row = toAttributes(
    files,
    { ...item, id: 'a', values: { size: 1 }, internal: { etag: '"old-2"' } },
    4,
  );
  const tags = new Map([['files/a', '"new"']]);
  expect(importedAttributes(files, row, { ...imported, tags })._etag).toEqual({ S: '"new"' });
});

// Specification 18.3, 18.15: the end of a suspension by operators would activate it without a secret.
test('a subscription that operators had suspended is suspended by the import alone', () => {
  const subscriptions = registry.find(({ name }) => name === 'subscriptions') as Resource;
  const exported = {
    id: { N: '7' },
    _version: { N: '2' },
    _schema: { N: '1' },
    _created: { N: '1' },
    _updated: { N: '2' },
    url: { S: 'https://receiver.example/' },
    active: { BOOL: false },
    suspendedBy: { S: 'operators' },
    wasActive: { BOOL: true },
    formerReason: { S: 'gone' },
  };
  const stored = importedAttributes(subscriptions, exported, imported);
  expect(stored).toMatchObject({ active: { BOOL: false }, status: { S: 'suspended' } });
  for (const name of ['suspendedBy', 'wasActive', 'formerReason']) expect(stored).not.toHaveProperty(name);
});
