import { type Fault, type Problem, problem } from '../../http/problem.ts';
import { emptyObject, type JsonObject } from '../../json/value.ts';
import { isOpenName, isServerField } from '../../resource/description/description.ts';
import { isDerived } from '../../resource/description/plan.ts';
import { findFaults } from '../../resource/description/validate.ts';
import {
  faultsOf,
  faultsOfChange,
  isTooLarge,
  MAXIMUM_ENTITY,
  MAXIMUM_VALUES,
  valuesOf,
  withDefaults,
  withUpdateDefaults,
} from '../../resource/description/values.ts';
import { descriptionOf, type Resource, schemaValidatorOf } from '../../resource/resource.ts';

/**
 * Returns the values of an item after changes by a custom action. null removes a value. `present`: the values before;
 * undefined for a new item.
 *
 * @throws Error if the changes name a field that no action can set
 */
export function changedBy(
  resource: Resource,
  present: JsonObject | undefined,
  changes: JsonObject,
): JsonObject {
  const description = descriptionOf(resource);
  const { fields } = description.plan;
  const values = Object.assign(emptyObject(), present);
  for (const [name, value] of Object.entries(changes)) {
    const planned = fields.get(name);
    // A typed action may leave a property out by undefined.
    if (value === undefined) continue;
    const isKnown = planned
      ? planned.field.kind !== 'binary' && !planned.field.computed
      : isOpenName(description, name);
    if (!isKnown)
      throw new Error(`${resource.name}: an action cannot set '${name}'. ${adviceOn(resource, name)}`);
    if (value === null) delete values[name];
    else values[name] = planned ? planned.kind.stored(value, planned.field) : value;
  }
  return present ? withUpdateDefaults(description, values, {}) : withDefaults(description, values);
}

function adviceOn({ description }: Resource, name: string): string {
  const field = description?.fields[name];
  if (field && isDerived(field)) return 'The service computes it: set the values that it comes from';
  if (field) return 'It has bytes, which only a request sets';
  return description && isServerField(description, name)
    ? 'The service sets it on every item'
    : 'It is not a field: correct the name';
}

/**
 * Returns the problem of an action that one transaction cannot commit: its writes, checks of items that it has read,
 * rules of several items, and the recorded answer are more than 100 parts or 4 MB.
 */
export const tooManyParts = (): Problem<'conflict'> =>
  problem(
    'conflict',
    'The action would change or read too many items at once, or too large ones. Send fewer, or call it several times',
  );

/**
 * Returns the problem of values that the rules of the fields forbid; undefined if they are valid. `present`: the values
 * before; undefined for a new item.
 */
export function validateChanges(
  resource: Resource,
  values: JsonObject,
  present?: JsonObject,
): Problem<'conflict'> | undefined {
  const { description, validateServer } = resource;
  const ofServer = validateServer ? findFaults(validateServer, values) : [];
  const errors = [
    ...faultsOf(schemaValidatorOf(resource), values, present),
    ...(present ? faultsOfChange(ofServer, values, present) : ofServer),
    ...tooLarge(resource, values),
  ];
  if (errors.length === 0) return undefined;
  const detail = `The ${description?.singular} would not be valid. Correct what the named properties come from`;
  return problem('conflict', detail, { errors });
}

/** The values that clients can set have one limit, and together with those of the service all have another. */
const tooLarge = (resource: Resource, values: JsonObject): Fault[] =>
  isTooLarge(valuesOf(descriptionOf(resource), values)) || isTooLarge(values, MAXIMUM_VALUES)
    ? [{ pointer: '', detail: `must have at most ${MAXIMUM_ENTITY} bytes` }]
    : [];
