import { expect, test } from '@jest/globals';
import { orUnavailable } from '../../../shared/flow/answer.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import type { Request } from '../../../shared/http/request.ts';

const request = {
  method: 'GET',
  template: '/books',
  path: '/books',
  parameters: {},
  query: new Map(),
  headers: {},
  content: () => undefined,
  basePath: '',
  requestId: 'one',
  receivedAt: 0,
} satisfies Request;

// Specification 10.11
test('a failure of an engine is a 503 with the seconds to wait, the reason, and the cause for the log', async () => {
  const cause = new Error('down');
  const answer = await orUnavailable(request, async () => {
    throw new Unavailable(cause, 7, 'Not yet');
  });
  expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '7' }, fault: cause });
  expect(JSON.parse(String(answer.body))).toMatchObject({ detail: 'Not yet' });
});
