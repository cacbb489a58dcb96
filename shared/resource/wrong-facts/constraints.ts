import { constraintParts, MAXIMUM_CONSTRAINT_PARTS } from '../constraint-parts.ts';
import { earlierFormOf, isUnique } from '../description/attribute.ts';
import type { Description, Field, Reference } from '../description/description.ts';
import { referenceOf, relatedName } from '../description/references.ts';
import { kindOf } from '../kinds/kinds.ts';
import type { Resource } from '../resource.ts';

/** The faults of the unique fields and the references of a resource: rules that its items could not hold. */
export function wrongConstraints(resource: Resource, registry: readonly Resource[]): string[] {
  const { description } = resource;
  const wrong = Object.entries(description?.fields ?? {}).flatMap(([name, field]) => {
    const to = referenceOf(field);
    return [
      ...(description && isUnique(field) ? wrongUnique(name, field, description) : []),
      ...(to ? wrongReference(resource, name, to, registry) : []),
    ];
  });
  const parts = constraintParts(resource);
  return parts > MAXIMUM_CONSTRAINT_PARTS
    ? [
        ...wrong,
        `its unique values and references add ${parts} parts to a transaction, and ${MAXIMUM_CONSTRAINT_PARTS} fit: declare fewer`,
      ]
    : wrong;
}

/** Endpoints that accept an operation without looking at unique values and references. It would fail afterwards. */
export function missingChecks({ name, description, deferral, routes }: Resource): string[] {
  const isConstrained = Object.values(description?.fields ?? {}).some(
    (field) => isUnique(field) || referenceOf(field) !== undefined,
  );
  if (!deferral || !isConstrained) return [];
  const paths = routes.flatMap(({ path, endpoints: { POST } }) =>
    POST?.creates && !POST.check && !POST.parent ? [path] : [],
  );
  return [...new Set(paths)].map(
    (path) => `POST ${path} has no check of unique values and references: give it collectionChecks(${name})`,
  );
}

/** A row holds a unique value under a negative number, in the form that every release stores. */
function wrongUnique(name: string, field: Field, { identifier }: Description): string[] {
  if (!kindOf(field).comparing) return [`the values of '${name}' cannot be compared: remove unique`];
  if (earlierFormOf(field)) return [`'${name}' has earlier forms, so it cannot be unique: remove unique`];
  return identifier.kind === 'text'
    ? [`'${name}' cannot be unique in a resource with text identifiers: remove unique`]
    : [];
}

function wrongReference(
  definition: Resource,
  name: string,
  { resource: to, key, onDelete, facts }: Reference,
  registry: readonly Resource[],
): string[] {
  const { name: resource, table } = definition;
  const other = registry.find((one) => one.name === to);
  const identifier = other?.table && other.description?.identifier;
  if (!identifier) return [`'${name}' refers to '${to}', which is no resource with items: correct it`];
  if (identifier.kind !== 'integer')
    return [`'${name}' refers to '${to}', which has text identifiers: use text`];
  if (identifier.name !== key)
    return [`'${name}' refers to '${to}' by '${key}': its identifier is '${identifier.name}', so set key`];
  const relation = facts ? wrongRelation(definition, name, to) : [];
  if (relation.length > 0 || onDelete === 'keep') return relation;
  if (!table?.partitions?.includes(name))
    return [`'${name}' has ${onDelete}: name it in partitions of the table of '${resource}'`];
  if (onDelete === 'clear') return wrongClearing(definition, name, other);
  return other.referredBy.some((one) => one.name === resource)
    ? []
    : [`'${name}' has restrict: name '${resource}' in referredBy of '${to}'`];
}

/** Why a response could not show the item of a reference under the name of a relation. */
function wrongRelation({ description, relations }: Resource, name: string, to: string): string[] {
  const relation = relatedName(name);
  if (relation === undefined) return [`'${name}' refers to '${to}' by facts: end its name with Id`];
  if (description && Object.hasOwn(description.fields, relation))
    return [`'${name}' has the relation '${relation}', which is a field too: rename one of them`];
  return Object.values(relations).some(({ field }) => field === name)
    ? []
    : [`'${name}' refers to '${to}' by facts: add ...byReferences(description)`];
}

/** Why the service could not remove the reference from an item. */
function wrongClearing(
  { name: resource, description, table }: Resource,
  name: string,
  other: Resource,
): string[] {
  const { immutable, server } = description?.fields[name] ?? {};
  const reasons = [
    ...(description?.required.includes(name) ? ['is required'] : []),
    ...(immutable ? ['is immutable'] : []),
    ...(server ? ['is a value of the service'] : []),
    ...(table?.whole === false ? [`selects the only list of '${resource}'`] : []),
    ...(other.events?.finals ? [`refers to '${other.name}', whose removals have no events`] : []),
  ];
  return reasons.map((reason) => `'${name}' ${reason}, so clear cannot remove it: use restrict or keep`);
}
