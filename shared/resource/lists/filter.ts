import { Decimal } from '../../json/decimal.ts';
import type { JsonValue } from '../../json/value.ts';
import { AUTHORS, type Sight } from '../access/sight.ts';
import type { Description, Field, Fields, Scalar } from '../description/description.ts';
import { integer, text, timestamp } from '../description/fields.ts';
import type { Item } from '../item.ts';
import { kindOf } from '../kinds/kinds.ts';
import { fold, OPERATORS, type Operator, type Suffix } from '../kinds/operators.ts';

/** A parameter that compares a field: `orderValue.gte`. */
export type FilterName<Field extends string = string> = `${Field}.${Suffix}`;

/** Returns the suffixes that a field takes. A number has no `prefix`, and a boolean has no suffix at all. */
export const suffixesOf = (field: Field): string[] =>
  (kindOf(field).comparing?.operators ?? []).flatMap((operator) => OPERATORS[operator].suffix ?? []);

/** Selects the items of a list whose property compares with the values in this way. */
export interface Filter {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly Scalar[];
}

/** Returns the scalar properties of every reader: the identifier, the scalar fields and the times of the item. */
const commonScalars = ({ identifier: { name, kind, label }, fields }: Description): Fields => ({
  [name]: kind === 'integer' ? integer(label, { isId: true }) : text(label),
  ...Object.fromEntries(
    Object.entries(fields).filter(
      ([, field]) => kindOf(field).comparing && !field.atReading && !(field.kind === 'text' && field.once),
    ),
  ),
  createdAt: timestamp('Created'),
  updatedAt: timestamp('Updated'),
});

/** The declared properties that hold one value, with the authors of the item. Source: Specification 4.6, 4.12. */
export const scalarFields = (description: Description): Fields => ({
  ...commonScalars(description),
  ...AUTHORS,
});

const scalarsBySight = new WeakMap<Sight, Fields>();

/** Returns the same properties without those that a reader does not see. Source: Specification 11.15; decision 57. */
export function visibleScalars(sight: Sight): Fields {
  const known = scalarsBySight.get(sight);
  if (known) return known;
  const made = { ...commonScalars(sight.description), ...(sight.authors ? AUTHORS : {}) };
  scalarsBySight.set(sight, made);
  return made;
}

/** Returns the value of a declared or undeclared property; undefined if the item lacks it. */
export function propertyOf(
  { identifier }: Description,
  { id, createdAt, updatedAt, createdBy, updatedBy, values }: Item,
  field: string,
): JsonValue | undefined {
  if (field === identifier.name) return id;
  if (field === 'createdAt') return createdAt;
  if (field === 'updatedAt') return updatedAt;
  if (field === 'createdBy') return createdBy;
  if (field === 'updatedBy') return updatedBy;
  return Object.hasOwn(values, field) ? values[field] : undefined;
}

/**
 * True if a value meets a filter. An absent value, null, an object and an array meet none.
 *
 * Source: Specification 4.13, 4.14 and D.4.
 */
export function matches({ operator, values }: Filter, value: JsonValue | undefined): boolean {
  if (rankOf(value) === 0) return false;
  const { accepts } = OPERATORS[operator];
  if (accepts === 'words') {
    const text = typeof value === 'string' ? fold(value) : '';
    return typeof value === 'string' && values.every((word) => text.includes(String(word)));
  }
  if (accepts === 'beginning') return typeof value === 'string' && value.startsWith(String(values[0]));
  return values.some((one) => {
    const order = compare(value, one);
    return accepts.some((accepted) => accepted === Math.sign(order));
  });
}

/** Returns the place of a type in the order of values. 0: the value is not a scalar. Source: Specification 4.7. */
function rankOf(value: JsonValue | undefined): number {
  if (typeof value === 'number' || value instanceof Decimal) return 1;
  return typeof value === 'string' ? 2 : typeof value === 'boolean' ? 3 : 0;
}

/** Compares by type, then numbers exactly, and texts by code points. */
function compare(a: JsonValue | undefined, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (b instanceof Decimal && (typeof a === 'number' || a instanceof Decimal))
    return Decimal.from(a).compare(b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return rankOf(a) - rankOf(b);
}
