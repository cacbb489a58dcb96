import { hasOtherForms, isUnique } from '../../shared/resource/description/attribute.ts';
import type { Description, Field, Reference } from '../../shared/resource/description/description.ts';
import { referenceOf } from '../../shared/resource/description/references.ts';
import { kindOf } from '../../shared/resource/kinds/kinds.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { constraintParts } from '../../shared/store/form/constraint-rows.ts';
import { MAXIMUM_CONSTRAINT_PARTS } from '../../shared/store/write/limits.ts';
import { sentences } from './fields.ts';

/** Returns the faults of the unique fields and the references of a resource: rules that its items could not hold. */
export function wrongConstraints(resource: Resource, registry: readonly Resource[]): string[] {
  const { description } = resource;
  const wrong = Object.entries(description?.fields ?? {}).flatMap(([name, field]) => {
    const to = referenceOf(field);
    return [
      ...(description && isUnique(field) ? wrongUnique(name, field, description) : []),
      ...(to ? wrongReference(resource, name, to, registry) : []),
      ...wrongLocks(resource, name, field),
    ];
  });
  const parts = constraintParts(resource);
  return sentences([
    ...wrong,
    parts > MAXIMUM_CONSTRAINT_PARTS &&
      `its unique values and references add ${parts} parts to a transaction, and ${MAXIMUM_CONSTRAINT_PARTS} fit: declare fewer`,
  ]);
}

/** Returns the faults of the states that lock a field. */
function wrongLocks({ process }: Resource, name: string, { lockedIn, server }: Field): string[] {
  if (!lockedIn) return [];
  if (server) return [`the service alone sets '${name}': remove lockedIn`];
  const states = process && [process.initial, ...Object.values(process.transitions).map(({ to }) => to)];
  return lockedIn.flatMap((state) =>
    states?.includes(state)
      ? []
      : [
          `lockedIn of '${name}' has '${state}', which is not a state: ${states ? `use ${[...new Set(states)].join(', ')}` : 'declare a process'}`,
        ],
  );
}

/** A row holds a unique value under a negative number, in the form that every release stores. */
function wrongUnique(name: string, field: Field, { identifier }: Description): string[] {
  if (!kindOf(field).comparing || field.kind === 'boolean' || field.kind === 'any')
    return [`the values of '${name}' cannot be compared: remove unique`];
  if (hasOtherForms(field)) return [`'${name}' has several forms, so it cannot be unique: remove unique`];
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
  const other = registry.find((one) => one.name === to);
  const identifier = other?.table && other.description?.identifier;
  if (!identifier) return [`'${name}' refers to '${to}', which is not a resource with items: correct it`];
  if (identifier.kind !== 'integer')
    return [`'${name}' refers to '${to}', which has text identifiers: use text`];
  if (identifier.name !== key)
    return [`'${name}' refers to '${to}' by '${key}': its identifier is '${identifier.name}', so set key`];
  const relation = facts ? wrongRelation(definition, name, to) : [];
  return relation.length === 0 && onDelete === 'clear' ? wrongClearing(definition, name) : relation;
}

/** Returns why a response could not show the item of a reference under the name of a relation. */
function wrongRelation({ description, relations }: Resource, name: string, to: string): string[] {
  const [relation] = Object.entries(relations).find(([, { field }]) => field === name) ?? [];
  if (relation === undefined)
    return [`'${name}' refers to '${to}' and has no relation of its own: end its name with Id, or set as`];
  return description && Object.hasOwn(description.fields, relation)
    ? [`'${name}' has the relation '${relation}', which is a field too: rename one of them`]
    : [];
}

/** Returns why the service could not remove the reference from an item. */
function wrongClearing({ description }: Resource, name: string): string[] {
  const { immutable, server } = description?.fields[name] ?? {};
  const reasons = sentences([
    description?.required.includes(name) && 'is required',
    immutable && 'is immutable',
    server && 'is a value of the service',
  ]);
  return reasons.map((reason) => `'${name}' ${reason}, so clear cannot remove it: use restrict or keep`);
}
