import { expect, test } from '@jest/globals';
import { registry } from '../../../service/registry.ts';
import { answer } from '../../../shared/flow/answer.ts';
import type { Resource } from '../../../shared/resource/resource.ts';

const root = registry.find(({ name }) => name === 'root') as Resource;

/** A request at a path without a template in the gateway. */
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

// RFC 9110 §4.2.3: both are the same URI. If a gateway distinguishes them, the service redirects.
test.each(['GET', 'POST', 'DELETE'])('%s with percent-encoded letters gets 308', async (method) => {
  const { status, headers } = await ask(method, '/%6dembers', new Map([['limit', ['1']]]));
  expect([status, headers.Location]).toEqual([308, '/v1/members?limit=1']);
});

test.each(['/nothing', '/members%2F1', '/%2E%2E'])('%s gets 404', async (path) => {
  expect((await ask('GET', path)).status).toBe(404);
});
