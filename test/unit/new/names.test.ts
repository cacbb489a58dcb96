import { describe, expect, test } from '@jest/globals';
import { filesOf } from '../../../tools/new/files.ts';
import { type Names, namesOf, singularOf } from '../../../tools/new/names.ts';

const TAKEN = { folders: ['orders', 'worker'], paths: ['health', 'docs'], schemas: ['Order', 'Problem'] };
const named = (plural: string, singular?: string) => namesOf(plural, singular, TAKEN);

test.each([
  ['invoices', 'invoice'],
  ['companies', 'company'],
  ['boxes', 'box'],
  ['branches', 'branch'],
  ['addresses', 'address'],
  ['keys', 'key'],
  ['houses', 'house'],
])('the singular of %s is %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
});

test.each(['people', 'status', 'glass', 'analysis', 's'])('the singular of %s is not clear', (plural) => {
  expect(singularOf(plural)).toBeUndefined();
});

test('the author can say the singular', () => {
  expect(named('people', 'person')).toEqual({ plural: 'people', singular: 'person' });
});

describe('a name is refused with a sentence', () => {
  test.each<[string, string | undefined, string]>([
    ['Invoices', undefined, "'Invoices' cannot be the name of a resource"],
    ['credit-notes', undefined, "'credit-notes' cannot be the name of a resource"],
    ['../x', undefined, "'../x' cannot be the name of a resource"],
    ['', undefined, "'' cannot be the name of a resource"],
    ['9lives', undefined, "'9lives' cannot be the name of a resource"],
    ['x'.repeat(21), undefined, 'cannot be the name of a resource'],
    ['class', undefined, "The name 'class' is reserved"],
    ['forms', undefined, "The name 'forms' is reserved"],
    ['uploads', undefined, "The name 'uploads' is reserved"],
    ['orders', undefined, 'functions/orders exists'],
    ['worker', undefined, 'functions/worker exists'],
    ['docs', undefined, 'The service has the path /docs already'],
    ['people', undefined, 'npm run new -- people --singular WORD'],
    ['pets', 'pets', "'pets' cannot be the singular of 'pets'"],
    ['pets', 'my pet', "'my pet' cannot be the singular of 'pets'"],
    ['problems', undefined, "The API description has a schema 'Problem'"],
  ])('%s', (plural, singular, sentence) => {
    expect(named(plural, singular)).toEqual(expect.stringContaining(sentence));
  });
});

test('the longest name fits into the lines of the written files', () => {
  const names = named(`${'x'.repeat(19)}s`) as Names;
  const lines = Object.values(filesOf(names)).flatMap((text) => text.split('\n'));
  expect(lines.filter(({ length }) => length > 110)).toEqual([]);
});
