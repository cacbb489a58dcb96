import type { Field, Fields } from './description.ts';
import type { AnyField, BinaryField, EarlierForm } from './field-facts.ts';

/** The name of the attribute with the values of a field. */
export function attributeOf({ fields }: { readonly fields: Fields }, name: string): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return (field && isStored(field) ? field.was : undefined) ?? name;
}

/** How to read earlier values of a field; undefined if they have the same form. */
export const earlierFormOf = (field: Field | undefined): EarlierForm | undefined =>
  field && isStored(field) ? field.earlier : undefined;

/** True if no two items have the same value in the field. */
export const isUnique = (field: Field): boolean => isStored(field) && field.unique === true;

/** True if the facts of `Stored` apply to a field: neither to a binary property nor to a field of several types. */
const isStored = (field: Field): field is Exclude<Field, BinaryField | AnyField> =>
  field.kind !== 'binary' && field.kind !== 'any';
