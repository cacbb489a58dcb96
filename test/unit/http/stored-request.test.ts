import { expect, test } from '@jest/globals';
import { restoredRequest, storedRequest } from '../../../shared/http/request.ts';

const FIELDS = {
  accept: 'application/json',
  'content-digest': 'sha-256=:AAAA:',
  'content-encoding': 'gzip',
  'content-type': 'application/json',
  'if-match': '"3"',
  'if-modified-since': 'then',
  'if-none-match': '*',
  'if-unmodified-since': 'now',
  prefer: 'respond-async',
  'repr-digest': 'sha-256=:AAAA:',
};
const request = {
  method: 'POST',
  template: '/books/{id}',
  path: '/books/7',
  parameters: { id: '7' },
  query: new Map([['a', ['1', '2']]]),
  headers: { ...FIELDS, authorization: 'Bearer x', cookie: 'a=1', 'idempotency-key': '"k"' },
  content: () => new Uint8Array([0, 255]),
  basePath: '/v1',
  requestId: 'r',
  receivedAt: 5,
  principal: { subject: 'ada', scopes: [] },
};

test('a stored request has no credentials and no unused fields', () => {
  const { method, template, path, parameters, basePath, requestId, principal } = request;
  expect(storedRequest(request)).toEqual({
    ...{ method, template, path, parameters, basePath, requestId, principal },
    query: [['a', ['1', '2']]],
    headers: FIELDS,
    content: 'AP8=',
  });
});

test.each([[new Uint8Array([0, 255])], [new Uint8Array()], [undefined]])(
  'a request with the content %j is the same after a run through JSON',
  (content) => {
    const stored = storedRequest({ ...request, content: () => content });
    expect('content' in stored).toBe(content !== undefined);
    const restored = restoredRequest(JSON.parse(JSON.stringify(stored)), 9);
    expect(restored).toMatchObject({
      path: '/books/7',
      headers: FIELDS,
      query: request.query,
      receivedAt: 9,
    });
    expect(restored.content()).toEqual(content && Buffer.from(content));
  },
);
