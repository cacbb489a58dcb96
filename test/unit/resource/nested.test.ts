import { expect, test } from '@jest/globals';
import { nestedActions } from '../../../shared/operations/nested-actions.ts';
import { integer } from '../../../shared/resource/description/fields.ts';
import { describe } from '../../../shared/resource/description/plan.ts';
import type { TableFacts } from '../../../shared/resource/facts.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { itemActions } from '../../../shared/store/actions/item-actions.ts';

const PARENT = { name: 'owner', field: 'ownerId', table: { resource: 'owners', key: 'id' } };

/** Makes a resource of pets with a list for each owner. */
const pets = (table: TableFacts) =>
  resource({
    name: 'pets',
    title: 'Pets',
    about: 'Animals with owners.',
    description: describe({ singular: 'pet', fields: { ownerId: integer('Owner') } }),
    routes: (made) => {
      nestedActions(made, itemActions(made), PARENT);
      return [];
    },
    table,
  });

test('a list of a parent needs the partition of its field', () => {
  expect(() => pets({})).toThrow("The resource pets: name 'ownerId' in partitions of table");
  expect(() => pets({ partitions: ['ownerId'] })).not.toThrow();
});
