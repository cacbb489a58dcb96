import type { Description, Field, Fields } from './description.ts';
import type { AnyField, BinaryField, EarlierForm, LaterForm } from './field-types.ts';

/** Returns the name of the attribute with the values of a field. */
export function attributeOf({ fields }: { readonly fields: Fields }, name: string): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return (field && isStored(field) ? field.was : undefined) ?? name;
}

/** Returns how to read earlier values of a field; undefined if they have the same form. */
export const earlierFormOf = (field: Field | undefined): EarlierForm | undefined =>
  field && isStored(field) ? field.earlier : undefined;

/** Returns how to read later values of a field; undefined if this release does not know another form. */
export const laterFormOf = (field: Field | undefined): LaterForm | undefined =>
  field && isStored(field) ? field.later : undefined;

/** True if items can have values of the field in another form. */
export const hasOtherForms = (field: Field | undefined): boolean =>
  earlierFormOf(field) !== undefined || laterFormOf(field) !== undefined;

/** True if no two items have the same value in the field. */
export const isUnique = (field: Field): boolean => isStored(field) && field.unique === true;

/** The kind of each attribute with values of clients. */
export type Kinds = Readonly<Record<string, Field['kind']>>;

/** Returns the kinds of the attributes that a description stores. */
export const kindsOf = (description: Pick<Description, 'fields'>): Kinds =>
  Object.fromEntries(
    Object.entries(description.fields).flatMap(([name, { kind, atReading }]) =>
      atReading ? [] : [[attributeOf(description, name), kind]],
    ),
  );

/** True if the facts of `Stored` apply to a field: neither to a binary property nor to a field of several types. */
const isStored = (field: Field): field is Exclude<Field, BinaryField | AnyField> =>
  field.kind !== 'binary' && field.kind !== 'any';
