import { describe, expect, test } from '@jest/globals';
import type { Answer, SentRequest } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { removalsBy } from '../../support/removals.ts';
import { withConstraints } from '../../support/service/constrained.ts';
import { unique } from '../../support/service/under-test.ts';

/*
 * Contacts refer to companies. `companyId` keeps its company from removal, and `formerId` does not (decision 54).
 */
const { send, made } = withConstraints();
const company = (json?: object) => made('/companies', { name: 'a', ...json });
const contact = (json?: object) => made('/contacts', { name: 'a', ...json });

/** The identifier of a company that was removed. */
async function goneId(): Promise<number> {
  const { path, id } = await company();
  expect((await send('DELETE', path)).status).toBe(204);
  return id;
}

const ASYNC = { Prefer: 'respond-async' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const key = () => ({ 'Idempotency-Key': `"${crypto.randomUUID()}"` });

const expectUnknown = (answer: Answer, pointer: string) => {
  expectProblem(answer, 409, 'conflict');
  expect(answer.json().errors).toEqual([{ pointer, detail: 'names an item that does not exist' }]);
};

describe.each(['companyId', 'formerId'])('%s of a missing company', (field) => {
  const creations: readonly (readonly [string, object])[] = [
    ['POST', {}],
    ['POST with a key', key()],
    ['POST that responds later', ASYNC],
  ];
  test.each(creations)('gets 409 for %s', async (_, headers) => {
    const answer = await send('POST', '/contacts', {
      json: { [field]: await goneId() },
      headers: { ...headers },
    });
    expectUnknown(answer, `/${field}`);
  });

  const changes: readonly (readonly [string, string, (id: number) => SentRequest])[] = [
    ['PUT', 'PUT', (id) => ({ json: { [field]: id } })],
    ['PUT with a key', 'PUT', (id) => ({ json: { [field]: id }, headers: key() })],
    ['PUT that responds later', 'PUT', (id) => ({ json: { [field]: id }, headers: ASYNC })],
    ['a merge patch', 'PATCH', (id) => ({ json: { [field]: id }, headers: MERGE_PATCH })],
    [
      'a JSON patch',
      'PATCH',
      (value) => ({
        body: JSON.stringify([{ op: 'add', path: `/${field}`, value }]),
        headers: JSON_PATCH,
      }),
    ],
    ['POST of a change', 'POST', (id) => ({ json: { [field]: id } })],
  ];
  test.each(changes)('gets 409 for %s, which changes nothing', async (_, method, sent) => {
    const { path } = await contact();
    const before = await send('GET', path);
    expectUnknown(await send(method, path, sent(await goneId())), `/${field}`);
    expect((await send('GET', path)).text).toBe(before.text);
  });

  test('gets 409 in an array, and nothing is created', async () => {
    const name = unique('bulk');
    const answer = await send('POST', '/contacts', { json: [{ name }, { name, [field]: await goneId() }] });
    expectUnknown(answer, `/1/${field}`);
    expect((await send('GET', `/contacts?name=${name}`)).json().items).toEqual([]);
  });

  test('is the problem of one element in a lenient array', async () => {
    const name = unique('bulk');
    const headers = { Prefer: 'handling=lenient' };
    const json = [{ name }, { name, [field]: await goneId() }];
    expect((await send('POST', '/contacts', { json, headers })).status).toBe(207);
    expect((await send('GET', `/contacts?name=${name}`)).json().items).toHaveLength(1);
  });

  test('gets 409 in a PUT of the collection', async () => {
    const { id } = await contact();
    expectUnknown(await send('PUT', '/contacts', { json: [{ id, [field]: await goneId() }] }), `/0/${field}`);
  });

  test('appears with its message in the form again', async () => {
    const body = `${field}=${await goneId()}`;
    const answer = await send('POST', '/contacts/new', { body, headers: FORM });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('names an item that does not exist');
  });

  test('fails those elements of an operation whose company another request removed', async () => {
    const name = unique('many');
    const { id, path } = await company();
    const json = Array.from({ length: 150 }, () => ({ name, [field]: id }));
    const accepted = await send('POST', '/contacts', { json, headers: ASYNC });
    const removal = await send('DELETE', path);
    await ended(accepted, send);
    const list = await send('GET', `/contacts?name=${name}&limit=200`);
    if (field === 'companyId' && removal.status === 204) expect(list.json().items).toEqual([]);
    else expect([204, 409]).toContain(removal.status);
  });
});

// Specification 6.12
test('the page before a deletion has no button if a contact forbids it', async () => {
  const { id, path } = await company();
  const browse = async () => (await send('GET', `${path}/delete`, { headers: { Accept: 'text/html' } })).text;
  expect(await browse()).toContain('<li>No contacts refer to it (Company).</li>');
  expect(await browse()).toContain('<button class="danger">');
  await contact({ companyId: id, agentId: id });
  const page = await browse();
  expect(page).toContain('1 contact</a> refers to it (Company). It forbids the deletion.');
  expect(page).toContain('1 contact</a> refers to it (Agent). It stays and loses the reference.');
  expect(page).not.toContain('<button class="danger">');
});

describe('a company to which a contact refers', () => {
  const removals: readonly (readonly [string, (path: string) => Promise<Answer>])[] = [
    ...removalsBy(send),
    ['DELETE of the collection', () => send('DELETE', '/companies')],
  ];
  test.each(removals)('stays after %s, which gets 409', async (_, remove) => {
    const { id, path } = await company();
    const { path: person } = await contact({ companyId: id });
    const answer = await remove(path);
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('contacts refer to this company');
    expect((await send('GET', path)).status).toBe(200);
    expect((await send('DELETE', person)).status).toBe(204);
  });

  const releases: readonly (readonly [string, (path: string, id: number) => Promise<Answer>])[] = [
    ['DELETE of the contact', (path) => send('DELETE', path)],
    ['PUT without the company', (path) => send('PUT', path, { json: { name: 'b' } })],
    [
      'a patch to another company',
      async (path) =>
        send('PATCH', path, { json: { companyId: (await company()).id }, headers: MERGE_PATCH }),
    ],
    ['a PUT of the collection', (_, id) => send('PUT', '/contacts', { json: [{ id, name: 'b' }] })],
  ];
  test.each(releases)('can be removed after %s', async (_, release) => {
    const { id, path } = await company();
    const person = await contact({ companyId: id });
    const other = await contact({ companyId: id });
    expect((await send('DELETE', other.path)).status).toBe(204);
    expect((await send('DELETE', path)).status).toBe(409);
    expect((await release(person.path, person.id)).status).toBeLessThan(400);
    expect((await send('DELETE', path)).status).toBe(204);
  });

  test('is found in the list of its contacts', async () => {
    const { id } = await company();
    const person = await contact({ companyId: id });
    const list = await send('GET', `/contacts?companyId=${id}`);
    expect(list.json().items.map((one) => one.id)).toEqual([person.id]);
  });

  test('may be removed if the reference keeps nothing, and the contact keeps its identifier', async () => {
    const { id, path } = await company();
    const person = await contact({ formerId: id });
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('GET', person.path)).json().formerId).toBe(id);
    // The contact keeps it in later requests too.
    expect((await send('PUT', person.path, { json: { name: 'b', formerId: id } })).status).toBe(200);
  });

  test('is removed or gets a new contact in a race, but never both', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { id, path } = await company();
      const person = await contact();
      const json = { companyId: id };
      const [removal, created, changed] = await Promise.all([
        send('DELETE', path),
        send('POST', '/contacts', { json }),
        send('PATCH', person.path, { json, headers: MERGE_PATCH }),
      ]);
      const referring = (await send('GET', `/contacts?companyId=${id}`)).json().items.length;
      const succeeded = [created, changed].filter(({ status }) => status < 400).length;
      expect(referring).toBe(succeeded);
      expect(removal.status).toBe(succeeded > 0 ? 409 : 204);
    }
  });
});

describe('a company to which another company refers', () => {
  test('gets 409 for its removal, and both go in one request', async () => {
    const parent = await company();
    const child = await company({ parentId: parent.id });
    expect((await send('PUT', child.path, { json: { name: 'b', parentId: child.id } })).status).toBe(200);
    expect((await send('PUT', child.path, { json: { name: 'b', parentId: parent.id } })).status).toBe(200);
    expect((await send('DELETE', parent.path)).status).toBe(409);
    for (const { id } of (await send('GET', '/contacts?limit=1000')).json().items)
      await send('DELETE', `/contacts/${id}`);
    const answer = await send('DELETE', '/companies');
    if (answer.status === 202) await ended(answer, send);
    expect((await send('GET', child.path)).status).toBe(404);
    expect((await send('GET', parent.path)).status).toBe(404);
  });
});
