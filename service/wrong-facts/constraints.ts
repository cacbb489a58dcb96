import { hasOtherForms, isUnique } from '../../shared/resource/description/attribute.ts';
import type { Description, Field, Reference } from '../../shared/resource/description/description.ts';
import { choicesOf } from '../../shared/resource/description/field-types.ts';
import { referenceOf } from '../../shared/resource/description/references.ts';
import { kindOf } from '../../shared/resource/kinds/kinds.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { constraintParts, limitName, totalName } from '../../shared/store/form/constraint-rows.ts';
import { isMeasured, makesGroups } from '../../shared/store/lists/rows-of-totals.ts';
import { MAXIMUM_AGREEING, MAXIMUM_CONSTRAINT_PARTS } from '../../shared/store/write/limits.ts';
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
  wrong.push(...wrongLimits(resource), ...wrongTotals(resource));
  const parts = constraintParts(resource);
  return sentences([
    ...wrong,
    parts > MAXIMUM_CONSTRAINT_PARTS &&
      `its unique values, limits and references add ${parts} parts to a transaction, and ${MAXIMUM_CONSTRAINT_PARTS} fit: declare fewer`,
  ]);
}

/** Returns the faults of the limits of a resource. */
function wrongLimits({ description, atMost = [] }: Resource): string[] {
  if (!description || atMost.length === 0) return [];
  const { fields, identifier } = description;
  if (identifier.kind === 'text') return ['atMost needs identifiers that are numbers: remove it'];
  const names = atMost.map((limit) => limitName(description, limit));
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  return sentences([
    repeated !== undefined && `atMost has two limits of the same items, '${repeated}': keep the lower one`,
    ...atMost.flatMap(({ count, of, where = {} }) => [
      (!Number.isInteger(count) || count < 1 || count > MAXIMUM_AGREEING) &&
        `the count ${count} of atMost is not a whole number from 1 to ${MAXIMUM_AGREEING}: correct it`,
      ...[...of, ...Object.keys(where)].map((name) => wrongAgreement(name, fields[name])),
      ...Object.entries(where).map(([name, value]) => {
        const field = fields[name];
        const choices = field?.kind === 'text' ? choicesOf(field) : undefined;
        return (
          choices !== undefined &&
          !choices.some((one) => one === value) &&
          `atMost counts items whose '${name}' is '${value}', which no item has: use ${choices.join(', ')}`
        );
      }),
    ]),
  ]);
}

function wrongAgreement(name: string, field: Field | undefined): string | false {
  if (!field) return `atMost names '${name}', which is not a field: correct it`;
  if (field.atReading)
    return `atMost names '${name}', which no item stores: name the fields that it comes from`;
  if (!kindOf(field).comparing || field.kind === 'any')
    return `atMost names '${name}', whose values cannot be compared: name another field`;
  return hasOtherForms(field) && `atMost names '${name}', which has several forms: name another field`;
}

/** The most kept totals of a resource, and the most fields of a group: each change of an item can write two rows of each. */
const MOST_TOTALS = 5;
const MOST_FIELDS = 3;

/** Returns the faults of the totals that the service keeps for a resource. */
function wrongTotals({ description, keptTotals, history, owner, process }: Resource): string[] {
  if (!description || !keptTotals) return [];
  const names = keptTotals.map((total) => totalName(description, total));
  const wrongField = (name: string, isRight: (field: Field) => boolean, use: string) => {
    const field = Object.hasOwn(description.fields, name) ? description.fields[name] : undefined;
    if (!field) return `totals names '${name}', which is not a field: correct it`;
    if (field.atReading)
      return `totals names '${name}', which no item stores: name the fields that it comes from`;
    return !isRight(field) && `totals names '${name}': use ${use}`;
  };
  return sentences([
    !history &&
      'totals keeps numbers from the log of changes, which needs history: state history: { days: 30 }, or totals: true',
    owner !== undefined && 'its items have owners, whose totals are read: state totals: true',
    keptTotals.length > MOST_TOTALS && `totals keeps at most ${MOST_TOTALS}: remove some`,
    names.some((name, at) => names.indexOf(name) !== at) && 'totals has the same one twice: remove one',
    ...keptTotals.flatMap(({ by, sum = [] }) => [
      by.length > MOST_FIELDS && `totals groups by at most ${MOST_FIELDS} fields: remove some`,
      ...by.map((name) =>
        wrongField(
          name,
          (field) => makesGroups(name, field, process),
          'choices, states, references, booleans or days',
        ),
      ),
      ...sum.map((name) => wrongField(name, isMeasured, 'integers or decimals')),
    ]),
  ]);
}

/** Returns the faults of the states that lock a field. An action can also set a state that no transition leads to. */
function wrongLocks({ process, description }: Resource, name: string, { lockedIn, server }: Field): string[] {
  if (!lockedIn) return [];
  if (server) return [`the service alone sets '${name}': remove lockedIn`];
  const field = process && description?.fields[process.field];
  const known = field?.kind === 'text' ? choicesOf(field) : [];
  const moved = Object.values(process?.transitions ?? {}).map(({ to }) => to);
  const states = process && [...new Set([process.initial, ...moved, ...(known ?? [])])];
  return lockedIn.flatMap((state) =>
    states?.includes(state)
      ? []
      : [
          `lockedIn of '${name}' has '${state}', which is not a state: ${states ? `use ${states.join(', ')}` : 'declare a process'}`,
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
