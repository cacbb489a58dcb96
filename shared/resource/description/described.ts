import type { JsonValue } from '../../json/value.ts';
import type { Kind } from '../kinds/kind.ts';
import { kindOf } from '../kinds/kinds.ts';
import type { Resource } from '../resource.ts';
import { attributeOf, earlierFormOf, laterFormOf } from './attribute.ts';
import { type Description, type Field, SERVER_FIELDS } from './description.ts';
import type { Common, EarlierForm, LaterForm } from './field-facts.ts';
import type { SchemaValidator } from './validate.ts';

/** The description of the items of a resource. @throws Error if the resource describes none */
export function descriptionOf({ name, description }: Pick<Resource, 'name' | 'description'>): Description {
  if (!description) throw new Error(`The resource ${name} describes no items`);
  return description;
}

/** The schema validator of the items of a resource. @throws Error if the resource has none */
export function schemaValidatorOf({ name, validate }: Resource): SchemaValidator {
  if (!validate) throw new Error(`The resource ${name} has no validator`);
  return validate;
}

/** A field, with what its facts mean for the storage. */
export interface PlannedField {
  readonly name: string;
  readonly field: Field;
  readonly kind: Kind;
  /** The name of the attribute with the values. */
  readonly attribute: string;
  /** How to read values of other versions; undefined if they have the same form. */
  readonly earlier: EarlierForm | undefined;
  readonly later: LaterForm | undefined;
}

/** A description, compiled once. Each list names only the fields with a fact, so a request pays for no other fact. */
export interface Plan {
  readonly fields: ReadonlyMap<string, PlannedField>;
  /** The names that the service alone sets. */
  readonly server: ReadonlySet<string>;
  /** The fields with a default. */
  readonly defaulted: readonly (readonly [planned: PlannedField, value: JsonValue])[];
  readonly computed: readonly (readonly [name: string, of: NonNullable<Common['computed']>])[];
  readonly keptByPut: readonly string[];
  /** The fields whose value a replacement leaves if it lacks them: those above, and those that only actions set. */
  readonly left: readonly string[];
  readonly immutable: readonly string[];
}

const plans = new WeakMap<Description, Plan>();

/** The plan of a description. */
export function planOf(description: Description): Plan {
  const plan = plans.get(description) ?? compile(description);
  plans.set(description, plan);
  return plan;
}

function compile(description: Description): Plan {
  const all = Object.entries(description.fields);
  const named = (has: (field: Field) => boolean | undefined) =>
    all.flatMap(([name, field]) => (has(field) ? [name] : []));
  const planned = all.map(([name, field]) => ({
    name,
    field,
    kind: kindOf(field),
    attribute: attributeOf(description, name),
    earlier: earlierFormOf(field),
    later: laterFormOf(field),
  }));
  return {
    fields: new Map(planned.map((one) => [one.name, one])),
    defaulted: planned.flatMap((one) =>
      'default' in one.field && one.field.default !== undefined ? [[one, one.field.default] as const] : [],
    ),
    server: new Set([description.identifier.name, ...SERVER_FIELDS, ...named(({ server }) => server)]),
    computed: all.flatMap(([name, { computed }]) => (computed ? [[name, computed] as const] : [])),
    keptByPut: named(({ keptByPut }) => keptByPut),
    left: named(({ server, computed, keptByPut }) => keptByPut || (server && !computed)),
    immutable: named(({ immutable }) => immutable),
  };
}
