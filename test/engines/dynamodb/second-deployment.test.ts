import { SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, expect, test } from '@jest/globals';
import { backfill } from '../../../functions/worker/backfill/backfill.ts';
import { claim } from '../../../functions/worker/claim.ts';
import { provision } from '../../../local/provision/provision.ts';
import { currentSettings } from '../../../shared/aws/clients/client.ts';
import { begin } from '../../../shared/operations/accepting/defer.ts';
import { SERVICE } from '../../../shared/resource/access/owner.ts';
import type { Fields } from '../../../shared/resource/description/description.ts';
import { integer, text } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import { descriptionOf, type Resource, resource } from '../../../shared/resource/resource.ts';
import { collection } from '../../../shared/resource/styles/collection.ts';
import { itemActions } from '../../../shared/store/actions/item-actions.ts';
import { tableOf } from '../../../shared/store/form/table.ts';
import { Planner } from '../../../shared/store/lists/plan.ts';
import { newIdentifier } from '../../../shared/store/write/new-item.ts';
import { inventoryOf } from '../../../shared/store/write/stored-inventory.ts';
import { attached } from '../attached.ts';
import { request } from '../request.ts';

attached((call, pass) => pass(...call));

const name = text('Name');
const email = text('E-mail');

const defined = (version: number, fields: Fields, sortable: string[]): Resource =>
  resource({
    name: 'members',
    title: 'Members',
    about: 'Members',
    description: described({ singular: 'member', version, fields }),
    validate: () => true,
    sortable,
    table: {},
    routes: (one) => collection('/members', itemActions(one)),
  });

const first = defined(1, { name, email, age: integer('Age') }, ['name', 'age']);
/** `name` is called `fullName`, `email` is sortable, and `age` is a text. */
const second = defined(
  2,
  {
    fullName: text('Full name', { was: 'name' }),
    email,
    age: text('Age', { earlier: { before: 2, read: (stored) => String(stored).padStart(3, '0') } }),
  },
  ['fullName', 'email', 'age'],
);

/** The orders of the second definition that an index serves. */
async function indexed(): Promise<string[]> {
  const inventory = await inventoryOf(second);
  const planner = new Planner(tableOf(second), descriptionOf(second), inventory);
  return planner.indexed.sort();
}

const post = async (of: Resource, values: object): Promise<string> => {
  const { status, body } = await request(of, 'POST', '/members', values);
  expect(status).toBe(201);
  return `/members/${body.id}`;
};

/** One property of all items in an order, page by page. */
async function walked(order: string): Promise<unknown[]> {
  const values: unknown[] = [];
  let href: string | undefined = `/members?limit=2&sort=${order}`;
  while (href !== undefined) {
    const { status, body }: Awaited<ReturnType<typeof request>> = await request(second, 'GET', href);
    expect(status).toBe(200);
    values.push(...body.items.map((one: Record<string, unknown>) => one[order]));
    href = body.links.find((link: { rel: string }) => link.rel === 'next')?.href;
  }
  return values;
}

async function expectItems(emails: string[], names: string[], ages: string[]): Promise<void> {
  expect(await walked('email')).toEqual(emails);
  expect(await walked('fullName')).toEqual(names);
  expect(await walked('age')).toEqual(ages);
  const { body } = await request(second, 'GET', `/members?email.gte=${emails[1]}&sort=email`);
  expect(body.items).toHaveLength(emails.length - 1);
}

/** Runs the whole backfill as the worker does. */
async function backfillAll(): Promise<void> {
  const now = Date.now();
  const id = newIdentifier(now);
  const beginning = { kind: 'members.backfill', id, handler: 'backfill', dueAt: now } as const;
  await begin({ caller: SERVICE, now }, beginning);
  const claimed = await claim(id, now + 60_000);
  if (!claimed) throw new Error('The operation has no lease');
  expect(await backfill(second, claimed.work)).toMatchObject({
    kind: 'completed',
    checkpoint: { failed: 0 },
  });
}

// Each call reads the inventory, and no backfill waits.
process.env.INVENTORY_SECONDS = '0';

beforeAll(async () => {
  const queues = currentSettings() as ConstructorParameters<typeof SQSClient>[0];
  await provision([second], new SQSClient(queues ?? {}));
});

// Specification 13.1 to 13.3
test('no item leaves an order through a second deployment, its backfill, a roll-back and its return', async () => {
  const a = await post(first, { name: 'n1', email: 'e3', age: 7 });
  await post(first, { name: 'n2', email: 'e1', age: 36 });

  // During the canary of the second deployment, both write.
  expect(await indexed()).toEqual(['fullName', 'id']);
  await post(second, { fullName: 'n0', email: 'e2', age: '100' });
  await post(first, { name: 'n3', email: 'e4', age: 8 });
  const emails = ['e1', 'e2', 'e3', 'e4'];
  const names = ['n0', 'n1', 'n2', 'n3'];
  const ages = ['007', '008', '036', '100'];
  await expectItems(emails, names, ages);

  await backfillAll();
  expect(await indexed()).toEqual(['age', 'email', 'fullName', 'id']);
  await expectItems(emails, names, ages);

  // A roll-back: the first definition leaves the keys of e-mail as they are.
  const { status } = await request(first, 'PUT', a, { name: 'n9', email: 'e9', age: 9 });
  expect(status).toBe(200);
  await post(first, { name: 'n4', email: 'e0', age: 10 });

  // The second definition returns. It sorts by reading until the backfill has run again.
  expect(await indexed()).toEqual(['fullName', 'id']);
  const emailsAfter = ['e0', 'e1', 'e2', 'e4', 'e9'];
  const namesAfter = ['n0', 'n2', 'n3', 'n4', 'n9'];
  const agesAfter = ['008', '009', '010', '036', '100'];
  await expectItems(emailsAfter, namesAfter, agesAfter);
  await backfillAll();
  expect(await indexed()).toEqual(['age', 'email', 'fullName', 'id']);
  await expectItems(emailsAfter, namesAfter, agesAfter);
});
