import { expect, test } from '@jest/globals';
import { shownProperty } from '../../../pages/property.ts';
import type { Place } from '../../../shared/representations/representation.ts';
import { integer, text } from '../../../shared/resource/description/fields.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';

const description = described({ singular: 'order', fields: { customerId: integer('Customer') } });
const customer = described({ singular: 'customer', title: 'name', fields: { name: text('Name') } });
const ADA = { id: 7, version: 1, createdAt: 0, updatedAt: 0, values: { name: 'Ada' }, internal: {} };

// Specification 4.27
test.each([
  ['that was read has its name', [ADA], [], '<a href=/customers/7>Ada</a>'],
  ['that is missing is gone', [], [], '7 <span class="none">(gone)</span>'],
  ['for which units were missing has its number', [], [7], '<a href=/customers/7>7</a>'],
])('a related item %s', (_, found, left, shown) => {
  const expansion = {
    relation: { field: 'customerId', to: { name: 'customers', description: customer } },
    items: new Map(found.map((one) => [one.id, one])),
    unread: new Set(left),
  };
  const document = { description, expansions: [expansion] };
  const markup = shownProperty('customerId', { customerId: 7 }, document, { basePath: '' } as Place);
  expect(String(markup)).toBe(shown);
});
