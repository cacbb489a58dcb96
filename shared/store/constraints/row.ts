import { createHash } from 'node:crypto';
import type { Description } from '../../resource/description/description.ts';
import type { Attributes } from '../items/stored-value.ts';
import { CONSTRAINT } from '../items/table.ts';

/** One less than 10^38, so that the key has at most 38 digits. */
const KEYS = 10n ** 38n - 1n;

/**
 * The key of a row that is not an item: it holds a constraint, or the inventory of the table. The key is a negative number
 * of up to 38 digits, the precision of DynamoDB, or a text with a control character. Identifiers are positive numbers
 * or texts without such characters, so no request can name the row. It has no attribute of an index, so no list
 * contains it.
 *
 * Source: Amazon DynamoDB Developer Guide, "Naming rules and data types", Number.
 */
export function constraintKey({ identifier }: Description, name: string): Attributes {
  if (identifier.kind === 'text') return { [identifier.name]: { S: `\0${name}` } };
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return { [identifier.name]: { N: `-${(BigInt(`0x${digest}`) % KEYS) + 1n}` } };
}

/** The attributes of a row: the item that has the unique value, or that referred last, and the version which did so. */
export const HOLDER = '_holder';
export const SINCE = '_since';

/** The row without its facts. */
export const constraintRow = (description: Description, name: string): Attributes => ({
  ...constraintKey(description, name),
  [CONSTRAINT]: { S: name },
});
