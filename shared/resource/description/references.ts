import type { Description } from './description.ts';
import { type Field, type IntegerField, integer } from './fields.ts';

/**
 * A reference to items of a resource. `key`: the name of their identifier, an integer. `onDelete`: what the service
 * does if others refer to an item that a client removes. `restrict`: it refuses the removal. `clear`: it removes the
 * references, soon after the item. `keep`: the others keep the identifier.
 */
export interface Reference {
  readonly resource: string;
  readonly key: string;
  readonly onDelete: 'keep' | 'restrict' | 'clear';
}

/**
 * The identifier of an item of another resource, which must exist when a request sets it. For `restrict`, the other
 * resource names this one in `referredBy`.
 */
export const reference = (
  resource: string,
  {
    label,
    onDelete = 'keep',
    key = 'id',
    ...options
  }: Pick<IntegerField, 'label'> & Partial<Pick<Reference, 'key' | 'onDelete'> & Omit<IntegerField, 'kind'>>,
): IntegerField => integer(label, { isId: true, refersTo: { resource, key, onDelete }, ...options });

/** The reference of a field; undefined if it has none. */
export const referenceOf = (field: Field): Reference | undefined =>
  field.kind === 'integer' ? field.refersTo : undefined;

/** The fields of a description that refer to items of other resources. */
export const referencesOf = ({
  fields,
}: Pick<Description, 'fields'>): { readonly field: string; readonly to: Reference }[] =>
  Object.entries(fields).flatMap(([field, facts]) => {
    const to = referenceOf(facts);
    return to ? [{ field, to }] : [];
  });

/** The fields of a description whose references keep items of this resource from removal. */
export const restrictionsIn = (description: Pick<Description, 'fields'>, resource: string): string[] =>
  referencesOf(description).flatMap(({ field, to }) =>
    to.resource === resource && to.onDelete === 'restrict' ? [field] : [],
  );

/** The references that the service removes from items of a resource. */
export const clearedReferencesOf = ({ description }: { readonly description?: Description }) =>
  (description ? referencesOf(description) : []).filter(({ to }) => to.onDelete === 'clear');
