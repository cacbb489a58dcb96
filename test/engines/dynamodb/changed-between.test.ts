import { afterEach, describe, expect, test } from '@jest/globals';
import { attached, resourceOf } from '../attached.ts';
import { request } from '../request.ts';

/** What another request does right after the next read of an item, or the next query. */
let between: (() => Promise<unknown>) | undefined;
let read = 'GetItem';
afterEach(() => {
  between = undefined;
  read = 'GetItem';
});

attached(async (call, pass) => {
  const answer = await pass(...call);
  const act = between;
  if (!act || !call[0].headers['x-amz-target']?.endsWith(`.${read}`)) return answer;
  between = undefined;
  await act();
  return answer;
});

const members = resourceOf('members');

/** A member, and a request that changes it right after the next read. */
async function changedBetween() {
  const { headers } = await request(members, 'POST', '/members', { name: 'a' });
  const path = String(headers.Location);
  const { headers: read } = await request(members, 'GET', path);
  between = async () => {
    const add = [{ op: 'add', path: '/other', value: 1 }];
    expect((await request(members, 'PATCH', path, add)).status).toBe(200);
  };
  return { path, etag: String(read.ETag) };
}

// Specification 3.5
describe('a request whose item another request changes between its read and its write', () => {
  test.each([
    ['PUT', { name: 'b' }],
    ['PATCH', [{ op: 'replace', path: '/name', value: 'b' }]],
    ['DELETE', undefined],
  ])('gets 412 for %s with If-Match, and changes nothing', async (method, json) => {
    const { path, etag } = await changedBetween();
    const { status } = await request(members, method, path, json, { 'if-match': etag });
    expect([status, between]).toEqual([412, undefined]);
    expect((await request(members, 'GET', path)).body).toMatchObject({ name: 'a', other: 1 });
  });

  test('keeps both changes of a PATCH without a precondition', async () => {
    const { path } = await changedBetween();
    const json = [{ op: 'replace', path: '/name', value: 'b' }];
    const { status } = await request(members, 'PATCH', path, json);
    expect([status, between]).toEqual([200, undefined]);
    expect((await request(members, 'GET', path)).body).toMatchObject({ name: 'b', other: 1 });
  });
});

// Specification 10.2
describe('a request that its repetition overtakes after the service has looked for an answer', () => {
  test.each([
    ['PATCH', '', [{ op: 'replace', path: '/name', value: 'b' }], 200],
    ['POST', '/delete', undefined, 204],
  ])('gets the answer of the other %s%s, and no refusal', async (method, form, json, expected) => {
    const { headers } = await request(members, 'POST', '/members', { name: 'a' });
    const path = String(headers.Location);
    const { headers: read } = await request(members, 'GET', path);
    const fields = { 'if-match': String(read.ETag), 'idempotency-key': `twice-${method}` };
    const send = () => request(members, method, path + form, json, fields);
    let other: Awaited<ReturnType<typeof send>> | undefined;
    between = async () => {
      other = await send();
    };
    const { status, headers: replayed } = await send();
    expect([other?.status, status]).toEqual([expected, expected]);
    expect(replayed['Idempotency-Replayed']).toBe('true');
  });
});

// Specification 16.6
describe('a restoration of an item that another request restores and removes meanwhile', () => {
  test('restores it once more, under a version of its own', async () => {
    const customers = resourceOf('customers');
    const { headers } = await request(customers, 'POST', '/customers', { name: 'a', vatId: 'IE1' });
    const path = String(headers.Location);
    expect((await request(customers, 'DELETE', path)).status).toBe(204);
    const restore = () => request(customers, 'POST', `${path}/versions/1/restore`);
    read = 'Query';
    let other: Awaited<ReturnType<typeof restore>> | undefined;
    between = async () => {
      other = await restore();
      expect((await request(customers, 'DELETE', path)).status).toBe(204);
    };
    const { status, headers: own } = await restore();
    expect([other?.status, status]).toEqual([201, 201]);
    expect([String(other?.headers.ETag), String(own.ETag)]).toEqual([
      expect.stringMatching(/^"3\./),
      expect.stringMatching(/^"5\./),
    ]);
  });
});
