import { expect, test } from '@jest/globals';
import { titleOf } from '../../../pages/names/item-name.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';

const fields = { number: text('Number'), name: text('Name') };

test.each([
  ['a field', 'name', { name: ' Ada ' }, 'Ada'],
  ['a field that the item lacks', 'name', {}, undefined],
  ['a field without a text', 'name', { name: { first: 'Ada' } }, undefined],
  ['no title', undefined, { name: 'Ada' }, undefined],
] as const)('an item with %s has this title', (_, title, members, expected) => {
  expect(titleOf(described({ singular: 'invoice', title, fields }), members)).toBe(expected);
});

test('a function of the properties can name an item', () => {
  const description = described({
    singular: 'invoice',
    title: ({ number }) => (number === undefined ? undefined : `Invoice ${number}`),
    fields,
  });
  expect(titleOf(description, { number: '7' })).toBe('Invoice 7');
  expect(titleOf(description, {})).toBeUndefined();
});
