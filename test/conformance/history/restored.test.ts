import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { BROWSER, formsOf } from '../../support/client/page.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { clientAs, closedAlone } from '../../support/service/closed.ts';
import { unique } from '../../support/service/under-test.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/* What a restoration may set, for living and for removed items. Source: Specification 16.6. */

const SCOPES = 'contracts:read contracts:write parties:read parties:write';
let service: Awaited<ReturnType<typeof closedAlone>>;
let ada: Client;
let bob: Client;

beforeAll(async () => {
  service = await closedAlone(withFixture('returning'));
  ada = await clientAs(service, 'ada', `${SCOPES} fees:write`);
  bob = await clientAs(service, 'bob', SCOPES);
}, 40_000);
afterAll(() => service.stop());

async function made(collection: string, json: object): Promise<{ path: string; id: number }> {
  const { status, headers, json: sent } = await ada('POST', collection, { json });
  expect(status).toBe(201);
  return { path: headers.location as string, id: sent().id };
}

async function changed(path: string, values: object): Promise<void> {
  const patch = { body: JSON.stringify(values), headers: MERGE_PATCH };
  expect((await ada('PATCH', path, patch)).status).toBe(200);
}

async function sent(method: string, path: string, type?: string): Promise<void> {
  const body = type === undefined ? {} : { body: path, headers: { 'Content-Type': type } };
  expect((await ada(method, path, body)).status).toBeLessThan(300);
}

/** A contract, and what a rule makes of the restoration of a version, the first one unless `version` says another. */
interface Made {
  readonly path: string;
  readonly version?: number;
  /** The values after it. Absent: the rule refuses it. */
  readonly has?: object;
  readonly lacks?: string;
}

/** A rule: its name, and what makes a contract that the rule concerns. */
type Rule = readonly [name: string, make: () => Promise<Made>];

const RULES: readonly Rule[] = [
  [
    'a value returns',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await changed(path, { title: 'b', number: unique('n') });
      return { path, has: { title: 'a' }, lacks: 'number' };
    },
  ],
  [
    'the state of a process is another one: the restoration makes no transition',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('POST', `${path}/sign`);
      return { path };
    },
  ],
  [
    'the state is the same again',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('POST', `${path}/sign`);
      await sent('POST', `${path}/revoke`);
      await changed(path, { title: 'b' });
      return { path, has: { title: 'a', status: 'draft' } };
    },
  ],
  [
    'a value that only the service sets stays',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('POST', `${path}/count`);
      await sent('POST', `${path}/count`);
      await changed(path, { title: 'b' });
      return { path, has: { title: 'a', signatures: 2 } };
    },
  ],
  [
    'a value that the caller cannot set stays',
    async () => {
      const { path } = await made('/contracts', { title: 'a', fee: 1 });
      await changed(path, { title: 'b', fee: 2 });
      return { path, has: { title: 'a', fee: 2 } };
    },
  ],
  [
    'a check refuses the values now',
    async () => {
      const former = await made('/parties', { name: 'b' });
      const { path } = await made('/contracts', { title: 'a', formerId: former.id });
      await changed(path, { title: 'c' });
      await changed(former.path, { name: 'a' });
      return { path };
    },
  ],
  [
    'another item has a unique value',
    async () => {
      const number = unique('n');
      const { path } = await made('/contracts', { title: 'a', number });
      await changed(path, { number: null });
      await made('/contracts', { number });
      return { path };
    },
  ],
  [
    'a unique value is free',
    async () => {
      const number = unique('n');
      const { path } = await made('/contracts', { title: 'a', number });
      await changed(path, { title: 'b' });
      return { path, has: { title: 'a', number } };
    },
  ],
  [
    'a reference is to an item that exists no more',
    async () => {
      const former = await made('/parties', { name: 'a' });
      const { path } = await made('/contracts', { title: 'b', formerId: former.id });
      await changed(path, { formerId: null });
      await sent('DELETE', former.path);
      return { path };
    },
  ],
  [
    'a reference to a removed item stays as it is',
    async () => {
      const former = await made('/parties', { name: 'a' });
      const { path } = await made('/contracts', { title: 'b', formerId: former.id });
      await changed(path, { title: 'c' });
      await sent('DELETE', former.path);
      return { path, has: { title: 'b', formerId: former.id } };
    },
  ],
  [
    'bytes return',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('PUT', `${path}?fields=scan`, 'application/pdf');
      await sent('DELETE', `${path}?fields=scan`);
      return { path, version: 2, has: { scan: expect.anything() } };
    },
  ],
  [
    'bytes go again',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('PUT', `${path}?fields=scan`, 'application/pdf');
      return { path, has: { title: 'a' }, lacks: 'scan' };
    },
  ],
  [
    'bytes that the caller cannot set stay',
    async () => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('PUT', `${path}?fields=seal`, 'image/png');
      return { path, has: { seal: expect.anything() } };
    },
  ],
];

type Restoration = readonly [name: string, restore: (path: string, version: number) => Promise<Answer>];

/** Undoes the deletion of an item as the button of a page does. */
async function undo(path: string, version: number): Promise<Answer> {
  const list = await bob('GET', '/contracts', { headers: BROWSER });
  const form = formsOf(list.text).find(({ inputs }) => inputs.has(':idempotency-key'));
  const row = `${version}.${path.slice('/contracts/'.length)}`;
  const body = new URLSearchParams({ ':idempotency-key': unique('k'), ':row': row, ':with': 'restore' });
  const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
  return bob('POST', form?.action ?? '', { headers, body: body.toString() });
}

const RESTORATIONS: readonly Restoration[] = [
  ['JSON', (path, version) => bob('POST', `${path}/versions/${version}/restore`)],
  ['Undo on pages', undo],
];

const CASES = RULES.flatMap(([rule, make]) =>
  RESTORATIONS.flatMap(([way, restore]) =>
    (restore === undo ? ['removed'] : ['living', 'removed']).map((life) => ({
      rule,
      way,
      life,
      make,
      restore,
    })),
  ),
);

describe('the restoration of a version', () => {
  beforeAll(async () => {
    // The page of an empty list has no form for ticked rows.
    await made('/contracts', { title: 'first' });
  });

  test.each(CASES)('of a $life item by $way: $rule', async ({ make, restore, life }) => {
    const { path, version = 1, has, lacks = '' } = await make();
    if (life === 'removed') await sent('DELETE', path);
    const before = await ada('GET', path);
    const answer = await restore(path, version);
    const after = await ada('GET', path);
    if (has) {
      expect([200, 201, 303]).toContain(answer.status);
      expect(after.json()).toMatchObject(has);
      expect(after.json()).not.toHaveProperty([lacks]);
    } else {
      expect(answer.status === 409 || answer.text.includes('is unchanged')).toBe(true);
      expect([after.status, after.headers.etag]).toEqual([before.status, before.headers.etag]);
    }
  });

  // Specification 6.14
  test('by Undo on pages leaves an item that another person has restored and changed', async () => {
    const { path } = await made('/contracts', { title: 'a' });
    await sent('DELETE', path);
    expect((await undo(path, 1)).status).toBe(303);
    await changed(path, { title: 'b' });
    expect((await undo(path, 1)).text).toContain('is unchanged');
    expect((await ada('GET', path)).json()).toMatchObject({ title: 'b' });
  });

  test.each(['living', 'removed'])(
    'of a %s item cannot change its state, and leads to one that can',
    async (life) => {
      const { path } = await made('/contracts', { title: 'a' });
      await sent('POST', `${path}/sign`);
      await changed(path, { title: 'wrong' });
      if (life === 'removed') await sent('DELETE', path);
      const refusal = await bob('POST', `${path}/versions/1/restore`);
      expectProblem(refusal, 409);
      const { currentStatus, links } = refusal.json();
      expect(currentStatus).toBe('signed');
      const href = `${path}/versions/${life === 'removed' ? 3 : 2}`;
      expect(links).toEqual([{ rel: 'restorable', href, method: 'GET' }]);
      expect(refusal.headers.link).toContain(`<${href}>; rel="restorable"`);
      const title = (await bob('GET', href)).json().title;
      const answer = await bob('POST', `${href}/restore`);
      expect([answer.status, answer.json().title, answer.json().status]).toEqual([
        life === 'removed' ? 201 : 200,
        title,
        'signed',
      ]);
    },
  );

  test('of an item that another one keeps from removal holds it again', async () => {
    const witness = await made('/parties', { name: 'w' });
    const { path } = await made('/contracts', { title: 'a', witnessId: witness.id });
    await sent('DELETE', path);
    await sent('DELETE', witness.path);
    expectProblem(await bob('POST', `${path}/versions/1/restore`), 409);
    expect((await bob('POST', `${witness.path}/versions/1/restore`)).status).toBe(201);
    expect((await bob('POST', `${path}/versions/1/restore`)).status).toBe(201);
    expectProblem(await ada('DELETE', witness.path), 409);
  });
});
