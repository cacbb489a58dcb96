import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../resource/item.ts';
import { CREATED, CREATED_BY, UPDATED, UPDATED_BY } from './table.ts';

type Attributes = Readonly<Record<string, AttributeValue>>;

/**
 * The author of a change, with the time of the change in ms since the epoch. A later change by the previous release, or
 * by a repair, does not update the attribute. Its time then differs from that of the item, so the author is unknown.
 */
export const authorAttribute = (author: string, time: number): AttributeValue => ({ S: `${time} ${author}` });

type Authorship = Pick<Item, 'createdAt' | 'createdBy' | 'updatedAt' | 'updatedBy'>;

/** The attributes of the authors of an item. */
export const authorAttributes = ({ createdAt, createdBy, updatedAt, updatedBy }: Authorship): Attributes => ({
  ...(createdBy === undefined ? {} : { [CREATED_BY]: authorAttribute(createdBy, createdAt) }),
  ...(updatedBy === undefined ? {} : { [UPDATED_BY]: authorAttribute(updatedBy, updatedAt) }),
});

/** The authors in the stored attributes of an item. */
export function authorsOf(attributes: Attributes): Pick<Authorship, 'createdBy' | 'updatedBy'> {
  const createdBy = authorOf(attributes[CREATED_BY], attributes[CREATED]);
  const updatedBy = authorOf(attributes[UPDATED_BY], attributes[UPDATED]);
  return {
    ...(createdBy === undefined ? {} : { createdBy }),
    ...(updatedBy === undefined ? {} : { updatedBy }),
  };
}

/** The author of the change at this time; undefined if it is unknown. */
function authorOf(
  attribute: AttributeValue | undefined,
  time: AttributeValue | undefined,
): string | undefined {
  const prefix = `${time?.N} `;
  return attribute?.S?.startsWith(prefix) ? attribute.S.slice(prefix.length) : undefined;
}
