import { createHash } from 'node:crypto';
import { attributeOf, isUnique } from '../../resource/description/attribute.ts';
import type { Description } from '../../resource/description/description.ts';
import { referenceOf } from '../../resource/description/references.ts';
import type { KeptTotal, Limit } from '../../resource/facts.ts';
import type { Resource } from '../../resource/resource.ts';
import type { Attributes } from './attribute-value.ts';
import { CONSTRAINT } from './table.ts';

/** One less than 10^38, so that the key has at most 38 digits. */
const KEYS = 10n ** 38n - 1n;

/**
 * Returns the key of a row that is not an item: it holds a constraint, or the inventory of the table. The key is a
 * negative number of up to 38 digits, the precision of DynamoDB, or a text with a control character. Identifiers are
 * positive numbers or texts without such characters, so no request can name the row. It has no attribute of an index,
 * so no list contains it.
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

/** The attribute of the row of a limit: the identifiers of the items that agree, as a set of texts. */
export const HOLDERS = '_holders';

/** Returns the name of a limit in the inventory of the table: its attributes and the values that it counts. */
export function limitName(description: Description, { of, where = {} }: Limit): string {
  const values = Object.entries(where).map(([field, value]) => `${attributeOf(description, field)}=${value}`);
  const only = values.length > 0 ? ` where ${values.sort().join(', ')}` : '';
  return `at most of ${of.map((field) => attributeOf(description, field)).join(', ')}${only}`;
}

/** Returns the name of a total in the inventory of the table and in its rows. */
export function totalName(description: Description, { by, sum = [] }: KeptTotal): string {
  const named = (names: readonly string[]) => names.map((name) => attributeOf(description, name)).join(', ');
  return `totals by (${named(by)}) of (${named(sum)})`;
}

/** True for the name of a total in an inventory. */
export const isTotalName = (name: string): boolean => name.startsWith('totals by (');

/** Returns the row without its facts. */
export const constraintRow = (description: Description, name: string): Attributes => ({
  ...constraintKey(description, name),
  [CONSTRAINT]: { S: name },
});

/** Returns the parts that one change of an item can add to its transaction. `isNew`: the change creates the item. */
export const constraintParts = (
  { description, referredBy, atMost = [] }: Pick<Resource, 'description' | 'referredBy' | 'atMost'>,
  isNew = false,
): number =>
  Object.values(description?.fields ?? {}).reduce(
    (sum, field) => {
      const to = referenceOf(field);
      // A change releases the old value of a field, or of a limit, and takes the new one. It checks a reference. `restrict` also notes it.
      const ofReference = to?.onDelete === 'restrict' ? 2 : to && !isNew ? 1 : 0;
      return sum + (isUnique(field) ? (isNew ? 1 : 2) : 0) + ofReference;
    },
    referredBy.length + atMost.length * (isNew ? 1 : 2),
  );
