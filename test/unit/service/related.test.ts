import { expect, test } from '@jest/globals';
import { relatedOf } from '../../../service/derived/related.ts';
import { nestedActions } from '../../../shared/operations/nested-actions.ts';
import { describe } from '../../../shared/resource/description/description.ts';
import { text } from '../../../shared/resource/description/fields.ts';
import { parentBy, reference } from '../../../shared/resource/description/references.ts';
import { resource } from '../../../shared/resource/resource.ts';
import { nested } from '../../../shared/resource/styles/nested.ts';
import { itemActions } from '../../../shared/store/item-actions.ts';
import { byReferences } from '../../../shared/store/items/by-references.ts';

const companyFacts = {
  name: 'companies',
  description: describe({ singular: 'company', fields: { name: text('Name') } }),
  links: () => [],
};
const description = describe({
  singular: 'person',
  fields: {
    companyId: reference(companyFacts, { label: 'Company' }),
    agentId: reference(companyFacts, { label: 'Agent' }),
  },
});
const people = resource({
  name: 'people',
  title: 'People',
  about: 'People of companies.',
  description,
  table: { partitions: ['companyId', 'agentId'] },
  ...byReferences(description),
  routes: (people) =>
    nested(
      '/companies/{id}/people',
      nestedActions(people, itemActions(people), parentBy(description, 'companyId')),
    ),
});

test('of two references to one resource, the page of an item lists only the items of its nested list', () => {
  const fields = relatedOf([people]).companies?.map(({ field }) => field);
  expect(fields).toEqual(['companyId']);
});
