import { expect, test } from '@jest/globals';
import { pagesOf } from '../../api/reading/code-lists.ts';
import { SERVICE } from '../../shared/resource/access/owner.ts';
import { accounts } from '../fixtures/custom-actions/accounts.ts';
import { invoices } from '../fixtures/custom-actions/invoices.ts';

const WRONG: readonly (readonly [what: string, filters: object, options: object, sentence: string])[] = [
  ['a misspelt name', { amout: 1 }, {}, 'amout is not a filter of this list'],
  [
    'a misspelt suffix',
    { 'amount.lst': 1 },
    {},
    'amount.lst is not a filter of this list: use amount, amount.gte',
  ],
  ['a name of another case', { Amount: 1 }, {}, 'Amount is not a filter of this list: use amount'],
  ['a value of another kind', { amount: 'much' }, {}, 'amount must be a number'],
  ['a choice that does not exist', { status: 'lost' }, {}, 'status must be one of open, paid'],
  ['a value that is missing', { amount: undefined }, {}, 'amount has no value: leave the filter out'],
  ['several ends of a range', { 'amount.lt': [1, 2] }, {}, 'amount.lt must be given once'],
  [
    'an order that does not exist',
    {},
    { sort: 'amout' },
    "sort 'amout' is not a sort key: use id, accountId",
  ],
  ['a limit below 0', {}, { limit: -1 }, 'limit must be a whole number, 0 or more'],
  ['a limit that is not whole', {}, { limit: 1.5 }, 'limit must be a whole number, 0 or more'],
];

test.each(WRONG)('a list of code is refused with a sentence: %s', (_, filters, options, sentence) => {
  expect(() => pagesOf(invoices, SERVICE, filters, options)).toThrow(
    `The code cannot list invoices: ${sentence}`,
  );
});

test('a list of code has the filters of fields that few callers see', () => {
  expect(() =>
    pagesOf(accounts, SERVICE, { closedAt: [0], 'createdAt.gte': '2026-01-01' }, {}),
  ).not.toThrow();
});
