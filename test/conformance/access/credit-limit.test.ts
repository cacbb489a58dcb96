import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../support/client/client.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { type Closed, clientAs, closed } from '../../support/service/closed.ts';

const SCOPES = 'customers:read customers:write';

let service: Closed;
/** A client that may set credit limits, and one that may not. */
let ada: Client;
let bob: Client;

beforeAll(async () => {
  service = await closed();
  ada = await clientAs(service, 'ada', `${SCOPES} credit:write`);
  bob = await clientAs(service, 'bob', SCOPES);
}, 40_000);

const customer = async (): Promise<string> => {
  const answer = await ada('POST', '/customers', { json: { name: 'Acme', creditLimit: 5000 } });
  expect(answer.status).toBe(201);
  return answer.headers.location as string;
};

// Specification 2.11, 11.17
describe('the credit limit of a customer', () => {
  test('is visible to every caller', async () => {
    expect((await bob('GET', await customer())).json()).toMatchObject({ creditLimit: 5000 });
  });

  test.each([
    ['POST', '/customers', {}],
    ['PUT', undefined, {}],
    ['PATCH', undefined, MERGE_PATCH],
  ] as const)('gets 403 in a %s without the scope', async (method, list, headers) => {
    const path = list ?? (await customer());
    const answer = await bob(method, path, { json: { name: 'Acme', creditLimit: 9000 }, headers });
    expectProblem(answer, 403, 'forbidden');
    expect(answer.json().errors).toEqual([
      { pointer: '/creditLimit', detail: 'needs the scope credit:write' },
    ]);
  });

  test('stays after a PUT without it', async () => {
    const path = await customer();
    expect((await bob('PUT', path, { json: { name: 'Acme & Co' } })).status).toBe(200);
    expect((await bob('GET', path)).json()).toMatchObject({ name: 'Acme & Co', creditLimit: 5000 });
  });

  // Specification 16.6
  test('stays as it was last after the restoration of an earlier version of a removed customer', async () => {
    const path = await customer();
    expect((await ada('PATCH', path, { json: { creditLimit: 1 }, headers: MERGE_PATCH })).status).toBe(200);
    expect((await bob('DELETE', path)).status).toBe(204);
    expect((await bob('POST', `${path}/versions/1/restore`)).status).toBe(201);
    expect((await bob('GET', path)).json()).toMatchObject({ name: 'Acme', creditLimit: 1 });
  });

  test('goes by a PUT of a caller with the scope', async () => {
    const path = await customer();
    expect((await ada('PUT', path, { json: { name: 'Acme' } })).status).toBe(200);
    expect((await ada('GET', path)).json()).not.toHaveProperty('creditLimit');
  });
});
