import { type Problem, problem } from '../../http/problem.ts';
import type { Description, Field, Fields, IntegerField, ItemFacts, Reference } from './description.ts';
import { integer } from './fields.ts';

/**
 * Returns the identifier of an item of another resource, which must exist when a request sets it. `to`: the facts of
 * the other items, so that a page can name them, or the name of their resource, if `fields.ts` cannot import these
 * facts. For `restrict`, the other resource names this one in `referredBy`.
 */
export const reference = (
  to: string | ItemFacts,
  {
    label,
    onDelete = 'keep',
    key = typeof to === 'string' ? 'id' : to.description.identifier.name,
    ...options
  }: Pick<IntegerField, 'label'> & Partial<Pick<Reference, 'key' | 'onDelete'> & Omit<IntegerField, 'kind'>>,
): IntegerField => {
  const refersTo = typeof to === 'string' ? { resource: to } : { resource: to.name, facts: to };
  return integer(label, { isId: true, refersTo: { ...refersTo, key, onDelete }, ...options });
};

/** The name of one related item: `customer` for the field `customerId`. undefined: the field has no such name. */
export const relatedName = (field: string): string | undefined => /^(.+)Id$/.exec(field)?.[1];

/** Returns the refusal of a value that names an item that does not exist. */
export const unknownItem = (field: string, id: unknown): Problem<'conflict'> =>
  problem('conflict', `There is no ${relatedName(field) ?? field} ${id}. Create it first, or name another`, {
    errors: [{ pointer: `/${field}`, detail: 'names an item that does not exist' }],
  });

/** Returns the reference of a field; undefined if it has none. */
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

/** Returns the fields of a description whose references keep items of this resource from removal. */
export const restrictionsIn = (description: Pick<Description, 'fields'>, resource: string): string[] =>
  referencesOf(description).flatMap(({ field, to }) =>
    to.resource === resource && to.onDelete === 'restrict' ? [field] : [],
  );

/** Returns the references that the service removes from items of a resource. */
export const clearedReferencesOf = ({ description }: { readonly description?: Description }) =>
  (description ? referencesOf(description) : []).filter(({ to }) => to.onDelete === 'clear');

/**
 * Returns the parent of nested items: the item to which this field refers. @throws Error if the field has no reference
 */
export function parentBy<Declared extends Fields>(
  { fields }: Pick<Description<Declared>, 'fields'>,
  field: keyof Declared & string,
) {
  const declared: Fields = fields;
  const to = declared[field] && referenceOf(declared[field]);
  if (!to) throw new Error(`'${field}' refers to no item: declare it by reference`);
  const { resource, key } = to;
  return { name: relatedName(field) ?? field, field, table: { resource, key } };
}
