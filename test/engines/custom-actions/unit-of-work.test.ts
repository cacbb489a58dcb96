import { SQSClient } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { provision, variables } from '../../../local/provision/provision.ts';
import { currentSettings } from '../../../shared/aws/clients/client.ts';
import { ANYONE } from '../../../shared/resource/access/owner.ts';
import type { Item } from '../../../shared/resource/item.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import { Unit } from '../../../shared/store/custom/unit.ts';
import { Forbidden, UnitItems } from '../../../shared/store/custom/unit-items.ts';
import { accounts } from '../../fixtures/custom-actions/accounts.ts';
import { invoices } from '../../fixtures/custom-actions/invoices.ts';
import { attached } from '../attached.ts';

attached((call, pass) => pass(...call));

beforeAll(async () => {
  const settings = currentSettings() as ConstructorParameters<typeof SQSClient>[0];
  Object.assign(process.env, variables([accounts, invoices]));
  await provision([accounts, invoices], new SQSClient(settings ?? {}));
});

const NOW = Date.UTC(2026, 10, 21);
const unitOf = (resource: Resource = accounts) => new Unit(resource, { caller: ANYONE, now: NOW });
const item = (id: number, values: Item['values'] = { name: 'a', balance: 5 }): Item => ({
  id,
  version: 3,
  createdAt: 5,
  updatedAt: 5,
  values,
  internal: {},
});

/** A unit of accounts that has read these items. */
function having(...all: readonly Item[]) {
  const unit = unitOf();
  for (const one of all) unit.own.take(one);
  return { unit, items: unit.items() };
}

/** The parts of the transaction. @throws Error if the constraints refuse it */
async function planned(unit: Unit) {
  const plan = await unit.plan();
  if (plan.kind === 'refused') throw new Error(plan.problem.detail);
  return plan.parts;
}

/** What each part of the transaction does to which table. */
const partsOf = async (unit: Unit) =>
  (await planned(unit)).flatMap((part) =>
    Object.entries(part).map(
      ([does, { TableName }]: [string, { TableName?: string }]) =>
        `${does} ${TableName?.replace('resource-api-', '')}`,
    ),
  );

describe('a unit of work', () => {
  test('writes nothing if the action changes nothing', async () => {
    const { unit, items } = having(item(1), item(2));
    items.update(item(1), { balance: 5 });
    expect(await partsOf(unit)).toEqual([]);
  });

  test('checks the items that the action has only read', async () => {
    const { unit, items } = having(item(1), item(2));
    items.update(item(2), { balance: 6 });
    const [check, update] = await planned(unit);
    const conditions = [check?.ConditionCheck, update?.Update].map((part) => part?.ConditionExpression);
    for (const condition of conditions) expect(condition).toMatch(/#\d+ = :\d+$/);
  });

  test('merges the changes of one item, and shows them to the action', async () => {
    const { unit, items } = having(item(1));
    items.update(item(1), { balance: 6 });
    const after = items.update(item(1), { name: 'b' });
    expect(after).toMatchObject({ version: 4, updatedAt: NOW, values: { name: 'b', balance: 6 } });
    expect(await items.get(1)).toBe(after);
    expect(await partsOf(unit)).toEqual(['Update accounts']);
  });

  test('writes a new item once, however often the action changes it', async () => {
    const { unit, items } = having();
    const made = items.create({ name: 'a', balance: 1 });
    const { version, values } = items.update(made, { balance: 2 });
    expect([version, values.balance]).toEqual([1, 2]);
    expect(await partsOf(unit)).toEqual(['Put accounts']);
    items.remove(made);
    expect(await partsOf(unit)).toEqual([]);
  });

  test('gives new items different identifiers', () => {
    const { items } = having();
    const ids = Array.from({ length: 100 }, () => items.create({ name: 'a' }).id);
    expect(new Set(ids).size).toBe(100);
  });

  test('removes an item in the version that the action saw', async () => {
    const { unit, items } = having(item(1));
    items.remove(item(1));
    expect(await items.get(1)).toBeUndefined();
    expect(await partsOf(unit)).toEqual(['Delete accounts']);
  });

  test('removes the value of a field that only the service sets', async () => {
    const { unit, items } = having(item(1));
    expect(items.update(item(1), { balance: null }).values).toEqual({ name: 'a' });
    const { UpdateExpression, ExpressionAttributeNames } = (await planned(unit))[0]?.Update ?? {};
    const removed = /REMOVE (.*) ADD/.exec(UpdateExpression ?? '')?.[1]?.split(', ');
    expect(removed?.map((name) => ExpressionAttributeNames?.[name])).toContain('balance');
  });

  test('keeps the first state of a process, unless the action sets another', () => {
    const items = unitOf(invoices).items();
    expect(items.create({ amount: 1 }).values.status).toBe('open');
    expect(items.create({ amount: 1, status: 'paid' }).values.status).toBe('paid');
  });
});

describe('several resources in a unit of work', () => {
  test('may refer to items that the unit creates', async () => {
    const unit = unitOf(invoices);
    const items = unit.items();
    const account = items.of(accounts).create({ name: 'a' });
    items.create({ amount: 1, accountId: account.id });
    unit.own.take(item(7, { amount: 2 }));
    items.update(item(7), { accountId: account.id });
    expect(await partsOf(unit)).toEqual(['Put invoices', 'Update invoices', 'Put accounts']);
  });

  test('may not refer to items that the unit removes', async () => {
    const unit = unitOf(invoices);
    const items = unit.items();
    const others = items.of(accounts);
    const account = others instanceof UnitItems && others.take(item(5));
    if (!account) throw new Error('The account is not there');
    items.create({ amount: 1, accountId: 5 });
    others.remove(account);
    await expect(planned(unit)).rejects.toThrow('There is no account 5');
  });

  test('need a fact that allows the writes', () => {
    expect(() => unitOf().items().of(invoices)).toThrow(
      'The code of accounts cannot use the items of invoices: state writes: [invoices] in accounts',
    );
    expect(() => unitOf().items().of(accounts)).not.toThrow();
  });
});

describe('a wrong action', () => {
  const { items } = having(item(1));
  test.each([
    [
      'an unknown field',
      { nmae: 'a' },
      "accounts: an action cannot set 'nmae'. It is not a field: correct the name",
    ],
    ['a time of the service', { createdAt: 1 }, "'createdAt'. The service sets it on every item"],
    ['the identifier', { id: 1 }, "'id'. The service sets it on every item"],
  ])('that sets %s gets an error', (_, changes, message) => {
    expect(() => items.update(item(1), changes)).toThrow(message);
    expect(() => items.create(changes)).toThrow(message);
  });

  test('that changes an item of other items, or a removed one, gets an error', () => {
    const own = having(item(1));
    expect(() => own.items.update(item(2), {})).toThrow(
      'the action has not read the item 2. Read it by get first',
    );
    own.items.remove(item(1));
    expect(() => own.items.update(item(1), {})).toThrow('cannot update the item 1, which it has removed');
  });

  test('that changes more than 100 items gets an error', () => {
    const own = having();
    for (let at = 0; at < 100; at += 1) own.items.create({ name: 'a' });
    expect(() => own.items.create({ name: 'a' })).toThrow('too many items at once');
  });
});

describe('values that the rules forbid', () => {
  test.each([
    ['a value of the client', { name: 7 }, '/name', 'must be a text'],
    ['a value of the service', { balance: -1 }, '/balance', 'must be at least 0'],
    ['a time that is not a number', { closedAt: '2026-11-21' }, '/closedAt', 'must be a whole number'],
    ['no required value', { name: null }, '/name', 'must be given'],
  ])('%s refuses the action, with its pointer', (_, changes, pointer, detail) => {
    const { items } = having(item(1));
    const wrong = () => items.update(item(1), changes);
    expect(wrong).toThrow(Forbidden);
    try {
      wrong();
    } catch (error) {
      expect((error as Forbidden).problem).toMatchObject({ name: 'conflict', errors: [{ pointer, detail }] });
    }
  });
});
