import { expect, test } from '@jest/globals';
import { members } from '../../../functions/members.ts';
import { itemsForm } from '../../../pages/forms/form-content.ts';
import { collectionActions } from '../../../shared/operations/collection-actions.ts';
import { collection } from '../../../shared/resource/styles/collection.ts';

test('a resource whose POST takes one item alone has no form for many', () => {
  const place = { basePath: '', requestId: 'r' };
  const { createAll: _, ...single } = collectionActions(members);
  const routes = collection('/members', single);
  expect(String(itemsForm(members, place))).toContain('action="/members"');
  expect(itemsForm({ name: 'members', title: 'Members', routes }, place)).toBe('');
});
