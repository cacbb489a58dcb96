import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { eventually } from '../../support/eventually.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { removalsBy } from '../../support/removals.ts';
import { withConstraints } from '../../support/service/constrained.ts';
import { unique } from '../../support/service/under-test.ts';

// The service waits for the time of a lease before it clears references.
process.env.LEASE_SECONDS = '1';

/* Contacts refer to their agent, a company. The service clears the reference after the removal (decision 54). */
const { send, made } = withConstraints();
const company = () => made('/companies');
const contact = (json?: object) => made('/contacts', { name: 'a', ...json });

/** The contact after the service has cleared its agent. */
const cleared = (path: string): Promise<Answer> =>
  eventually(async () => {
    const answer = await send('GET', path);
    expect(answer.json()).not.toHaveProperty('agentId');
    return answer;
  });

const ASYNC = { Prefer: 'respond-async' };

describe('a reference that the service clears', () => {
  const removals: readonly (readonly [string, (path: string) => Promise<Answer>])[] = [
    ...removalsBy(send),
    ['DELETE of the collection', () => send('DELETE', '/companies')],
    ['DELETE of the collection that responds later', () => send('DELETE', '/companies', { headers: ASYNC })],
  ];
  test.each(removals)('goes after %s, in a new version of the item', async (_, remove) => {
    const { id, path } = await company();
    const name = unique('ada');
    const person = await contact({ name, agentId: id });
    const before = await send('GET', person.path);
    const removal = await remove(path);
    expect(removal.status).toBeLessThan(400);
    if (removal.status === 202) await ended(removal, send);
    const after = await cleared(person.path);
    expect(after.json().name).toBe(name);
    expect(after.headers.etag).not.toBe(before.headers.etag);
    expect((await send('GET', `/contacts?agentId=${id}`)).json().items).toEqual([]);
  });

  test('is removed from every contact', async () => {
    const { id, path } = await company();
    const name = unique('many');
    const json = Array.from({ length: 90 }, () => ({ name, agentId: id }));
    for (let at = 0; at < 3; at += 1)
      expect((await send('POST', '/contacts', { json, headers: ASYNC })).status).toBe(202);
    await eventually(async () =>
      expect((await send('GET', `/contacts?agentId=${id}&limit=1000`)).json().items).toHaveLength(270),
    );
    expect((await send('DELETE', path)).status).toBe(204);
    await eventually(async () =>
      expect((await send('GET', `/contacts?agentId=${id}`)).json().items).toEqual([]),
    );
    const { items } = (await send('GET', `/contacts?name=${name}&limit=1000`)).json();
    expect(items).toHaveLength(270);
    expect(items.filter((one: object) => 'agentId' in one)).toEqual([]);
  });

  test('is removed from the contacts of each company that one request removes', async () => {
    const companies = await Promise.all([company(), company(), company()]);
    const people = await Promise.all(companies.map(({ id }) => contact({ agentId: id })));
    expect((await send('DELETE', '/companies')).status).toBe(204);
    for (const { path } of people) await cleared(path);
  });

  test('gets 409 in a new request, as every reference to a missing item', async () => {
    const { id, path } = await company();
    const person = await contact({ agentId: id });
    expect((await send('DELETE', path)).status).toBe(204);
    await cleared(person.path);
    expect((await send('POST', '/contacts', { json: { agentId: id } })).status).toBe(409);
    expect((await send('POST', '/contacts', { json: [{ agentId: id }] })).status).toBe(409);
    const headers = { Prefer: 'handling=lenient' };
    expect((await send('POST', '/contacts', { json: [{ agentId: id }, {}], headers })).status).toBe(207);
    expect((await send('PUT', person.path, { json: { agentId: id } })).status).toBe(409);
    const patch = { json: { agentId: id }, headers: MERGE_PATCH };
    expect((await send('PATCH', person.path, patch)).status).toBe(409);
  });

  test('keeps another company that a client sets during the removal', async () => {
    const other = await company();
    const people: { path: string }[] = [];
    const moved: { path: string }[] = [];
    for (let round = 0; round < 20; round += 1) {
      const { id, path } = await company();
      const person = await contact({ agentId: id });
      const json = { agentId: id };
      const [removal, created, change] = await Promise.all([
        send('DELETE', path),
        send('POST', '/contacts', { json }),
        send('PATCH', person.path, { json: { agentId: other.id }, headers: MERGE_PATCH }),
      ]);
      expect([removal.status, change.status]).toEqual([204, 200]);
      if (created.status === 201) people.push({ path: created.headers.location as string });
      else expect(created.status).toBe(409);
      moved.push(person);
    }
    for (const { path } of people) await cleared(path);
    for (const { path } of atLeastOne(moved)) expect((await send('GET', path)).json().agentId).toBe(other.id);
  });
});
