import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../support/client/client.ts';
import { BROWSER } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { clientAs, closedAlone } from '../../support/service/closed.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/*
 * The scopes of custom actions: that of the resource, or one of their own (decision 67).
 */
let service: Awaited<ReturnType<typeof closedAlone>>;
let writer: Client;

beforeAll(async () => {
  service = await closedAlone(withFixture('custom-actions'));
  writer = await clientAs(service, 'ada', 'invoices:read invoices:write');
}, 40_000);
afterAll(() => service.stop());

async function invoice(): Promise<string> {
  const answer = await writer('POST', '/invoices', { json: { amount: 10 } });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
}

const charge = (send: Client, path: string) => send('POST', `${path}/charge`, { json: { accountId: 1 } });

test('an action needs the scope to write the resource', async () => {
  const path = await invoice();
  const reader = await clientAs(service, 'bob', 'invoices:read');
  expectProblem(await reader('POST', `${path}/remind`, { json: { text: 'a' } }), 403);
  expect((await writer('POST', `${path}/remind`, { json: { text: 'a' } })).status).toBe(200);
});

test('an action with a scope of its own needs that scope, and no other', async () => {
  const path = await invoice();
  const refused = await charge(writer, path);
  expectProblem(refused, 403);
  expect(refused.json().detail).toContain('The scope invoices:charge is needed');
  const charger = await clientAs(service, 'bob', 'invoices:charge');
  const allowed = await charge(charger, path);
  expectProblem(allowed, 409);
  expect(allowed.json().detail).toBe('There is no such account');
  expectProblem(await service.send('POST', `${path}/charge`), 401);
});

test('the form of such an action shows the item only to its readers', async () => {
  const path = await invoice();
  const charger = await clientAs(service, 'bob', 'invoices:charge');
  expectProblem(await charger('GET', `${path}/charge`, { headers: { Accept: 'application/json' } }), 403);
  expect((await writer('GET', `${path}/charge`)).status).toBe(200);
});

test('a page shows the actions that the person may perform', async () => {
  const path = await invoice();
  const shown = async (scope: string) => {
    const person = await clientAs(service, 'bob', scope);
    const { text } = await person('GET', path, { headers: BROWSER });
    return ['remind', 'forgive', 'charge'].filter((name) => text.includes(`"${path}/${name}"`));
  };
  expect(await shown('invoices:read')).toEqual([]);
  expect(await shown('invoices:read invoices:charge')).toEqual(['charge']);
  expect(await shown('invoices:read invoices:write')).toEqual(['remind', 'forgive']);
});
