import { expect, test } from '@jest/globals';
import { create, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

/** The two fields of a response. */
const groups = async (method: string, path: string, sent: Parameters<typeof send>[2] = {}) => {
  const { status, headers } = await send(method, path, sent);
  return [status, headers['cache-groups'], headers['cache-group-invalidation']];
};

// Specification 3.9; RFC 9875 §2
test('lists, items and bytes belong to the group of their resource, also without a body', async () => {
  const { path, etag } = await create('/members', { name: 'Ada' });
  const group = '"members"';
  expect(await groups('GET', '/members')).toEqual([200, group, undefined]);
  expect(await groups('GET', path)).toEqual([200, group, undefined]);
  expect(await groups('HEAD', path)).toEqual([200, group, undefined]);
  const known = { headers: { 'If-None-Match': etag } };
  expect(await groups('GET', path, known)).toEqual([304, group, undefined]);
  const file = `/files/${unique('group')}`;
  await send('PUT', file, { body: 'hello' });
  expect(await groups('GET', file)).toEqual([200, '"files"', undefined]);
  expect(await groups('GET', file, { headers: { Range: 'bytes=0-1' } })).toEqual([206, '"files"', undefined]);
});

// Specification 3.9; RFC 9875 §3
test('a successful change invalidates the group, also a repeated and an accepted one', async () => {
  const group = '"members"';
  const json = { name: unique('group') };
  const once = { json, headers: { 'Idempotency-Key': unique('group') } };
  expect(await groups('POST', '/members', once)).toEqual([201, undefined, group]);
  expect(await groups('POST', '/members', once)).toEqual([201, undefined, group]);
  const later = { json, headers: { Prefer: 'respond-async' } };
  expect(await groups('POST', '/members', later)).toEqual([202, undefined, group]);
  const { path } = await create('/members', json);
  expect(await groups('PUT', path, { json })).toEqual([200, undefined, group]);
  expect(await groups('DELETE', path)).toEqual([204, undefined, group]);
});

test('refusals, documents, and responses that no cache may store or that never change have no group', async () => {
  const none = [undefined, undefined];
  const { path } = await create('/members', { name: 'Ada' });
  expect(await groups('PUT', '/members/1', { json: { name: 'x' } })).toEqual([404, ...none]);
  expect(await groups('GET', '/members/1')).toEqual([404, ...none]);
  expect(await groups('OPTIONS', '/members')).toEqual([204, ...none]);
  expect(await groups('GET', '/')).toEqual([200, ...none]);
  expect(await groups('GET', '/operations')).toEqual([200, ...none]);
  // The last version still gets its link to the next one.
  expect(await groups('GET', `${path}/versions/1`)).toEqual([200, '"members"', undefined]);
  expect(await groups('PUT', path, { json: { name: 'Bob' } })).toEqual([200, undefined, '"members"']);
  expect(await groups('GET', `${path}/versions/1`)).toEqual([200, ...none]);
});
