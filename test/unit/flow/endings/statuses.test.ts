import { expect, test } from '@jest/globals';
import { PURE, STATEFUL } from '../../../../shared/flow/answer.ts';

// ARCHITECTURE.md shows this order, and the API description has these statuses.
test.each([
  ['method', [204, 308, 400, 404, 405, 501]],
  ['negotiate', []],
  ['crossSite', [403]],
  ['authorize', [401, 403]],
  ['preferences', [400]],
  ['query', [400, 403]],
  ['content', [400, 403, 413, 415]],
  ['idempotencyKey', [400]],
  ['replay', [403, 409, 422, 200, 201, 202, 204, 207, 303]],
  ['lookUp', [302, 400, 403, 404, 413, 415]],
  ['acceptable', [406]],
  ['preconditions', [304, 409, 412]],
  ['bytes', [307, 416]],
])('the step %s ends with %j', (name, statuses) => {
  const step = [...PURE.steps, ...STATEFUL.steps].find((one) => one.name === name);
  expect(step?.ends).toEqual(statuses);
});

test('the step act ends with the status of every problem, and of every recorded answer', () => {
  const [act] = STATEFUL.steps.slice(-1);
  expect(act?.name).toBe('act');
  expect([...new Set(act?.ends)].sort()).toEqual([
    200, 201, 202, 204, 207, 303, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414, 415, 416, 421,
    422, 428, 429, 431, 500, 501, 502, 503, 504,
  ]);
});
