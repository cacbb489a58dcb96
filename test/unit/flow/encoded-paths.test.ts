import { expect, test } from '@jest/globals';
import { root } from '../../../functions/root/resource.ts';
import { answer } from '../../../shared/flow/answer.ts';

/** A request at a path that a gateway found no template for. */
const ask = (method: string, path: string, query: ReadonlyMap<string, string[]> = new Map()) =>
  answer(root, {
    method,
    path,
    template: '/{proxy+}',
    parameters: {},
    query,
    headers: {},
    content: () => undefined,
    basePath: '/v1',
    requestId: 'r',
    receivedAt: 0,
  });

// RFC 9110 §4.2.3: they are the same URI; where a gateway takes them for two, clients are sent on.
test.each(['GET', 'POST', 'DELETE'])('%s where letters are percent-encoded: 308', async (method) => {
  const { status, headers } = await ask(method, '/%6dembers', new Map([['limit', ['1']]]));
  expect([status, headers.Location]).toEqual([308, '/v1/members?limit=1']);
});

test.each(['/nothing', '/members%2F1', '/%2E%2E'])('%s is nothing', async (path) => {
  expect((await ask('GET', path)).status).toBe(404);
});
