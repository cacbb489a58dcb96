import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { provision } from '../../../local/provision/provision.ts';
import { currentSettings } from '../../../shared/aws/clients/client.ts';
import type { JsonObject } from '../../../shared/json/value.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { itemsOf } from '../../../shared/store/items/items.ts';
import { Pages } from '../../../shared/store/lists/pages.ts';
import { newIdentifier } from '../../../shared/store/write/new-item.ts';
import { attached, resourceOf } from '../attached.ts';

attached((call, pass) => pass(...call));

async function insert(resource: Resource, values: JsonObject): Promise<void> {
  const now = Date.now();
  const id = newIdentifier(now);
  const item = { id, version: 1, createdAt: now, updatedAt: now, values, internal: {} };
  expect(await itemsOf(resource, SERVICE).insert(item)).toMatchObject({ kind: 'written' });
}

// Specification 13.2
test('a list shows the items that were stored before its property became sortable', async () => {
  const members = resourceOf('members');
  for (const email of ['c@a.example', 'a@a.example']) await insert(members, { email });
  await insert(members, { username: 'anne' });

  const sortable: Resource = { ...members, sortable: [...members.sortable, 'email'] };
  const queues = currentSettings() as ConstructorParameters<typeof SQSClient>[0];
  await provision([sortable], new SQSClient(queues ?? {}));
  await insert(sortable, { email: 'b@a.example' });

  const emails = async (descending: boolean) => {
    const sortOrder = [{ field: 'email', descending }];
    const listing = await new Pages(sortable).list(SERVICE, { limit: 10, offset: 0, sortOrder, filters: [] });
    if (listing.kind !== 'page') throw new Error('There is no such page');
    return listing.page.items.map(({ values }) => values.email);
  };
  const ascending = [undefined, 'a@a.example', 'b@a.example', 'c@a.example'];
  expect(await emails(false)).toEqual(ascending);
  expect(await emails(true)).toEqual([...ascending].reverse());
});
