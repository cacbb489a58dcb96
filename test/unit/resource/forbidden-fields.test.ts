import { expect, test } from '@jest/globals';
import { problem } from '../../../shared/http/problem.ts';
import { forbiddenElements, forbiddenFields } from '../../../shared/resource/access/forbidden-fields.ts';

const element = (at: number, stated?: ReturnType<typeof problem>) => ({
  pointer: `/items/${at}`,
  values: {},
  ...(stated ? { problem: stated } : {}),
});

test('the refusal of a list names the forbidden fields and the scopes of all its elements, and no other faults', () => {
  const elements = [
    element(0, problem('validation-error', 'Wrong', { errors: [{ pointer: '/name', detail: 'is wrong' }] })),
    element(1, forbiddenFields([['salary', 'salaries:write']])),
    element(2),
    element(3, forbiddenFields([['score', 'reviews:score']])),
    element(4, forbiddenFields([['salary', 'salaries:write']])),
  ];
  expect(forbiddenElements(elements)).toEqual({
    name: 'forbidden',
    detail:
      'Nothing was changed. The scopes salaries:write and reviews:score are needed to set the named properties. ' +
      'Get a token with them',
    errors: [
      { pointer: '/items/1/salary', detail: 'needs the scope salaries:write' },
      { pointer: '/items/3/score', detail: 'needs the scope reviews:score' },
      { pointer: '/items/4/salary', detail: 'needs the scope salaries:write' },
    ],
    scopes: ['salaries:write', 'reviews:score'],
  });
  expect(forbiddenElements(elements.slice(0, 1))).toBeUndefined();
});

test('the refusal of a list has the errors and the scopes of all elements', () => {
  const elements = Array.from({ length: 3 }, (_, at) =>
    element(at, forbiddenFields([['salary', at < 2 ? 'salaries:write' : 'reviews:score']])),
  );
  const refusal = forbiddenElements(elements);
  expect(refusal?.errors?.map(({ pointer }) => pointer)).toEqual(
    Array.from({ length: 3 }, (_, at) => `/items/${at}/salary`),
  );
  expect(refusal?.scopes).toEqual(['salaries:write', 'reviews:score']);
});

test('an element that another rule refuses has no forbidden field', () => {
  const other = element(0, problem('forbidden', 'Not yours'));
  expect(forbiddenElements([other])).toBeUndefined();
  const elements = [other, element(1, forbiddenFields([['salary', 'salaries:write']]))];
  expect(forbiddenElements(elements)).toMatchObject({
    errors: [{ pointer: '/items/1/salary' }],
    scopes: ['salaries:write'],
  });
});
