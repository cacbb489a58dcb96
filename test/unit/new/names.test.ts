import { describe, expect, test } from '@jest/globals';
import { definitionOf, type Names, namesOf, testOf } from '../../../tools/new/names.ts';

const TAKEN = { files: ['orders', 'worker'], paths: ['health', 'docs'], schemas: ['Order', 'Problem'] };
const named = (plural: string, singular?: string) => namesOf(plural, singular, TAKEN);

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
    ['text', undefined, "The name 'text' is reserved"],
    ['uploads', undefined, "The name 'uploads' is reserved"],
    ['deliveries', 'delivery', "The name 'deliveries' is reserved"],
    ['versions', undefined, "The name 'versions' is reserved"],
    ['orders', undefined, 'functions/orders.ts exists'],
    ['worker', undefined, 'functions/worker.ts exists'],
    ['docs', undefined, 'The service has the path /docs already'],
    ['people', undefined, 'npm run new -- people --singular WORD'],
    ['pets', 'pets', "'pets' cannot be the singular of 'pets'"],
    ['pets', 'my pet', "'my pet' cannot be the singular of 'pets'"],
    ['problems', undefined, "The API description has a schema 'Problem'"],
  ])('%s', (plural, singular, sentence) => {
    expect(named(plural, singular)).toEqual(expect.stringContaining(sentence));
  });
});

test('the longest name fits into the lines of the written file', () => {
  const names = named(`${'x'.repeat(19)}s`) as Names;
  const lines = [definitionOf(names), testOf(names)].flatMap((text) => text.split('\n'));
  expect(lines.filter(({ length }) => length > 110)).toEqual([]);
});
