import { beforeEach, expect, test } from '@jest/globals';
import type { ActionItems } from '../../../shared/resource/actions/capabilities.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { commitOnce } from '../../../shared/store/custom/commit.ts';
import { attached, resourceOf } from '../attached.ts';
import { request } from '../request.ts';

attached((call, pass) => pass(...call));

const members = resourceOf('members');
const NOW = Date.UTC(2026, 10, 25);

let name: string;
beforeEach(() => {
  name = `m${Math.random()}`;
});

const found = async () => {
  const { body } = await request(members, 'GET', `/members?name=${name}`);
  return (body as { readonly items: readonly unknown[] }).items;
};
const creates = async (items: ActionItems<Resource>): Promise<void> => {
  items.create({ name });
};

test('the writes of a repeated call for one event have their effect once', async () => {
  const id = `event of ${name}`;
  await commitOnce(members, id, NOW, creates);
  await commitOnce(members, id, NOW, creates);
  expect(await found()).toHaveLength(1);
  await commitOnce(members, `${id} later`, NOW, creates);
  expect(await found()).toHaveLength(2);
});

test('code that fails has written nothing, and the next call writes', async () => {
  const id = `event of ${name}`;
  const failing = async (items: ActionItems<Resource>) => {
    await creates(items);
    throw new Error('the mail server is busy');
  };
  await expect(commitOnce(members, id, NOW, failing)).rejects.toThrow('the mail server is busy');
  expect(await found()).toHaveLength(0);
  await commitOnce(members, id, NOW, creates);
  expect(await found()).toHaveLength(1);
});

test('an item that changes after the code has read it fails the call, and the next call sees the change', async () => {
  const made = await request(members, 'POST', '/members', { name, age: 1 });
  const path = String(made.headers.Location);
  const memberId = Number(path.split('/').pop());
  const id = `event of ${name}`;
  const increases = async (items: ActionItems<Resource>, between?: () => Promise<unknown>) => {
    const item = await items.get(memberId);
    await between?.();
    if (item) items.update(item, { age: Number(item.values.age) + 1 });
  };
  const change = () => request(members, 'PATCH', path, [{ op: 'replace', path: '/age', value: 10 }]);
  await expect(commitOnce(members, id, NOW, (items) => increases(items, change))).rejects.toThrow(
    'an item has changed since the code read it',
  );
  await commitOnce(members, id, NOW, (items) => increases(items));
  expect((await request(members, 'GET', path)).body).toMatchObject({ age: 11 });
});

test('a value that the rules of its field forbid fails the call with a sentence', async () => {
  const invalid = async (items: ActionItems<Resource>) => {
    items.create({ name, age: -1 });
  };
  await expect(commitOnce(members, `event of ${name}`, NOW, invalid)).rejects.toThrow(/would not be valid/);
});

test('a repeated call succeeds although its own earlier writes now forbid them', async () => {
  const id = `event of ${name}`;
  const takes = async (items: ActionItems<Resource>) => {
    items.create({ name, sku: name });
  };
  await commitOnce(resourceOf('products'), id, NOW, takes);
  await commitOnce(resourceOf('products'), id, NOW, takes);
  await expect(commitOnce(resourceOf('products'), `${id} later`, NOW, takes)).rejects.toThrow(/this SKU/);
});
