import { expect, test } from '@jest/globals';
import { STATEFUL } from '../../../../shared/flow/answer.ts';
import type { ReplaceCall } from '../../../../shared/resource/actions/action.ts';
import { foundItem, type Outcome, replaced } from '../../../../shared/resource/actions/outcome.ts';
import { text } from '../../../../shared/resource/description/fields.ts';
import { describe } from '../../../../shared/resource/description/plan.ts';
import type { SchemaValidator } from '../../../../shared/resource/description/validate.ts';
import { BOOK, books, outcomeOf, understood } from './books.ts';

/*
 * Book 7 is older than its field `grade`, and lacks it. Only `ada` sets grades (decision 57).
 */
const description = describe({
  singular: 'book',
  fields: {
    title: text('Title'),
    grade: text('Grade', { writableBy: 'grades:write', default: 'a' }),
  },
  required: ['grade'],
});

const validate: SchemaValidator = (values) => {
  const isValid = typeof values === 'object' && values !== null && 'grade' in values;
  const missing = { instancePath: '', keyword: 'required', params: { missingProperty: 'grade' } };
  validate.errors = isValid ? null : [missing];
  return isValid;
};

const PATHS = ['books:read', 'books:write'];
const JSON_TYPE = { 'content-type': 'application/json' };
const writes = [
  ['PUT', 'PUT /books/7', JSON_TYPE, '{"title":"Emma 2"}'],
  ['a change', 'POST /books/7', JSON_TYPE, '{"title":"Emma 2"}'],
  ['a form', 'POST /books/7/edit', { 'content-type': 'application/x-www-form-urlencoded' }, 'title=Emma+2'],
  [
    'a merge patch',
    'PATCH /books/7',
    { 'content-type': 'application/merge-patch+json' },
    '{"title":"Emma 2"}',
  ],
] as const;

/** The values that the action gets from a caller with the scopes. */
async function written(
  [, line, headers, body]: (typeof writes)[number],
  scopes: readonly string[],
): Promise<ReplaceCall['values'][]> {
  const inputs: ReplaceCall['values'][] = [];
  const replace = ({ values }: ReplaceCall): Outcome => {
    inputs.push(values);
    return replaced(BOOK, '/books/7');
  };
  const resource = books({ read: () => foundItem(BOOK), replace }, { description, validate });
  const principal = { subject: 'ada', scopes };
  const outcome = await outcomeOf(STATEFUL, await understood(line, headers, { body, resource, principal }));
  expect(outcome).toMatchObject({ outcome: { kind: 'replaced' } });
  return inputs;
}

test.each(writes)('%s of a caller who cannot set a field adds no default of it', async (...write) =>
  expect(await written(write, PATHS)).toEqual([{ title: 'Emma 2' }]),
);

test.each(writes.slice(1))('%s of another caller adds the default', async (...write) =>
  expect(await written(write, [...PATHS, 'grades:write'])).toEqual([{ title: 'Emma 2', grade: 'a' }]),
);
