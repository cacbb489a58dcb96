import type { AttributeValue, Update } from '@aws-sdk/client-dynamodb';
import { config } from '../../../shared/aws/config.ts';
import { descriptionOf, type Resource } from '../../../shared/resource/resource.ts';
import type { Attributes } from '../../../shared/store/form/attribute-value.ts';
import {
  fromAttributes,
  keyAttribute,
  number,
  schemaOf,
  sortKeys,
  valueAttributes,
} from '../../../shared/store/form/attributes.ts';
import { OPEN, SCHEMA, VERSION } from '../../../shared/store/form/table.ts';
import { and, attributeExists, compare, updateExpression } from '../../../shared/store/write/expression.ts';

/** The state of a stored item: `current`, `outdated` with its update, or `unreadable`, if its form is unknown. */
type Rewrite =
  | { readonly kind: 'current' }
  | { readonly kind: 'outdated'; readonly update: Update }
  | { readonly kind: 'unreadable' };

/**
 * Compares a stored item with the form that this release stores. The update writes missing and wrong sort keys, and
 * values of earlier versions in the form of this one. Version and times of the item stay, so the update makes neither
 * an entity tag nor an event. Its condition: the item still has the version that was read.
 *
 * Source: Specification 13.3.
 */
export function rewriteOf(resource: Resource, row: Attributes): Rewrite {
  const description = descriptionOf(resource);
  const schema = schemaOf(row);
  // A later release stored this item. After a roll-back, its form must stay.
  if (schema > description.version) return { kind: 'current' };
  const item = fromAttributes(description, row);
  if (item.unreadable) return { kind: 'unreadable' };
  const { [OPEN]: _, ...values } = valueAttributes(description, item.values);
  const wanted: Attributes = {
    ...sortKeys(resource, item),
    ...(schema < description.version ? { ...values, [SCHEMA]: number(description.version) } : {}),
  };
  const set = Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSame(row[name], value)));
  if (Object.keys(set).length === 0) return { kind: 'current' };
  const update = {
    TableName: config.tableName(resource.name),
    Key: keyAttribute(description, item.id),
    ...updateExpression(
      { set },
      and(attributeExists(description.identifier.name), compare(VERSION, '=', number(item.version))),
    ),
  };
  return { kind: 'outdated', update };
}

function isSame(stored: AttributeValue | undefined, wanted: AttributeValue): boolean {
  if (stored?.B !== undefined && wanted.B !== undefined) return Buffer.compare(stored.B, wanted.B) === 0;
  return (
    stored?.S === wanted.S && stored?.N === wanted.N && stored?.B === wanted.B && stored?.BOOL === wanted.BOOL
  );
}
