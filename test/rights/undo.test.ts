import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { data } from '../data/tool.ts';
import { clientAs } from '../support/service/closed.ts';
import { type Supervised, supervised } from './supervised.ts';

const MERGE = { 'Content-Type': 'application/merge-patch+json' };
const SCOPES = 'products:read products:write';

let service: Supervised;
beforeAll(async () => {
  service = await supervised('owned', {});
}, 40_000);
afterAll(() => service.stop());

// Specification 17.9, 17.12
test('operators take back what a subject has changed by one command', async () => {
  const [ada, bob] = [await clientAs(service, 'ada', SCOPES), await clientAs(service, 'bob', SCOPES)];
  const made = async (client: typeof ada, path: string, json: object) =>
    String((await client('POST', path, { json })).headers.location);
  const [cup, mug] = [
    await made(bob, '/products', { name: 'Cup' }),
    await made(bob, '/products', { name: 'Mug' }),
  ];
  await new Promise((passed) => setTimeout(passed, 5));
  const since = new Date().toISOString();
  const own = await made(ada, '/products', { name: 'Own' });
  for (const path of [cup, mug]) {
    const { status } = await ada('PATCH', path, { json: { name: 'Pot' }, headers: MERGE });
    expect(status).toBe(200);
  }
  await bob('PATCH', mug, { json: { color: 'red' }, headers: MERGE });
  const { code, output } = await data(service.directory, ['undo', 'ada', '--since', since]);
  expect([code, output]).toEqual([1, expect.stringContaining('1 changed back or brought back, 1 removed')]);
  expect(output).toContain(`left: ${mug}: changed since by bob`);
  expect(output).toContain('left: /notes: keeps no history');
  expect((await ada('GET', own)).status).toBe(404);
  expect((await bob('GET', cup)).json()).toMatchObject({ name: 'Cup' });
  const over = await data(service.directory, ['undo', 'ada', '--since', since, '--over']);
  expect([over.code, over.output]).toEqual([1, expect.stringContaining('1 changed back')]);
  expect((await bob('GET', mug)).json()).toMatchObject({ name: 'Mug' });
  expect((await data(service.directory, ['undo', 'ada'])).code).toBe(2);
});
