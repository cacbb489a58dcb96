import { expect, test } from '@jest/globals';
import { members } from '../../../functions/members.ts';
import { descriptionOf } from '../../../shared/resource/resource.ts';
import { fromAttributes, toAttributes } from '../../../shared/store/form/attributes.ts';

const description = descriptionOf(members);
const item = {
  id: 7,
  version: 2,
  createdAt: 5,
  updatedAt: 9,
  createdBy: 'ada',
  updatedBy: 'auth0|bob smith',
  values: {},
  internal: {},
};

// Specification 11.14
test('an item has the same authors after it was stored', () => {
  expect(fromAttributes(description, toAttributes(members, item, 4))).toEqual(item);
});

test('an item without authors has no attributes of them', () => {
  const { createdBy: _, updatedBy: __, ...without } = item;
  const attributes = toAttributes(members, without, 4);
  expect(Object.keys(attributes).filter((name) => name.endsWith('By'))).toEqual([]);
  expect(fromAttributes(description, attributes)).toEqual(without);
});

test('the author of a version is unknown after the release before has changed the item', () => {
  const changed = { ...toAttributes(members, item, 4), _updated: { N: '10' }, _version: { N: '3' } };
  const { updatedBy: _, ...without } = item;
  expect(fromAttributes(description, changed)).toEqual({ ...without, version: 3, updatedAt: 10 });
});
