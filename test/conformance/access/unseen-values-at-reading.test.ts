import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { clientAs, closed } from '../../support/service/closed.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

/*
 * Values at reading that a caller sees only with a scope. Specification 2.57, 2.58, 11.15.
 */
const PATHS = 'pensions:read pensions:write';
let ada: Client;
let bob: Client;

beforeAll(async () => {
  const service = await closed(withFixture('guarded'));
  ada = await clientAs(service, 'ada', `${PATHS} salaries:read salaries:write`);
  bob = await clientAs(service, 'bob', PATHS);
}, 40_000);

async function made(path: string, json: object): Promise<string> {
  const answer = await ada('POST', path, { json });
  expect(answer.status).toBe(201);
  return String(answer.headers.location);
}

const VERSION = /^"1\.(\d+)\.([\da-f]+)-json"$/;

test('an entity tag depends on the values at reading that the caller sees', async () => {
  const tags = { ada: new Set<string>(), bob: new Set<string>() };
  for (const salary of [500, 5000]) {
    const path = await made('/pensions', { name: 'Grace', salary });
    for (const [name, send] of Object.entries({ ada, bob })) {
      const one = await send('GET', path);
      const [listed] = (await send('GET', `/pensions?id=${path.split('/').pop()}`)).json().items;
      const tag = String(one.headers.etag);
      expect(tag).toMatch(VERSION);
      expect(listed?.links.find(({ rel }) => rel === 'self')).toMatchObject({ etag: tag });
      expect(Object.hasOwn(one.json(), 'isHigh')).toBe(name === 'ada');
      tags[name as keyof typeof tags].add(tag);
    }
  }
  expect([tags.ada.size, tags.bob.size]).toEqual([2, 1]);
});

test.each([
  ['isPaid=true', 'isPaid', 'is computed for each response: use from'],
  ['sort=isPaid', 'sort', "'isPaid' is computed for each response: use from"],
])('the advice names no property that the caller does not see: %s', async (query, parameter, detail) => {
  const answer = await bob('GET', `/pensions?${query}`);
  expectProblem(answer, 400, 'validation-error');
  expect(answer.json().errors).toEqual([{ parameter, detail }]);
  const [whole] = (await ada('GET', `/pensions?${query}`)).json().errors;
  expect(whole?.detail).toBe(`${detail}, salary`);
});
