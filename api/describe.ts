import type { JsonObject, JsonValue } from '../shared/json/value.ts';
import { binaryHref } from '../shared/resource/binary.ts';
import type { Description, Field, Title } from '../shared/resource/description/description.ts';
import type { Clock } from '../shared/resource/description/field-types.ts';
import { describe } from '../shared/resource/description/plan.ts';
import { referenceOf } from '../shared/resource/description/references.ts';
import { computed } from '../shared/resource/description/values.ts';
import type { Item } from '../shared/resource/item.ts';
import type { LinkFact } from '../shared/resource/link.ts';
import type { FilterName } from '../shared/resource/lists/filter.ts';
import type { Process } from '../shared/resource/process.ts';
import type { Use } from '../shared/resource/resource.ts';
import { singularOf } from './definition.ts';
import type { Declared, Fields } from './fields/declared.ts';
import { partsOf } from './fields/objects.ts';
import { referencesIn } from './fields/relations.ts';
import type { ResourceFacts } from './resource-options.ts';
import { today, withoutClock } from './today.ts';

/** The facts of a resource that make its description, whatever the types of its fields are. */
interface Stated {
  readonly singular?: string;
  readonly itemTitle?: string | readonly string[] | ((values: never) => string | undefined);
  readonly identifier?: ResourceFacts<Fields, unknown, undefined, unknown, string>['identifier'];
  readonly open?: boolean;
  readonly version?: number;
  readonly computed?: Readonly<
    Record<
      string,
      {
        readonly as: Declared;
        readonly at?: 'read' | undefined;
        readonly value: (values: never, clock: never) => unknown;
      }
    >
  >;
}

/** Returns the description of the items. @throws Error if a computed field has the name of another one */
export function descriptionOf(name: string, facts: Stated, declared: Fields): Description {
  const { fields, required } = partsOf(declared);
  const computedFields = Object.entries(facts.computed ?? {}).map(([field, { as, at, value }]) => {
    if (Object.hasOwn(fields, field)) throw new Error(`'${field}' is a field too: rename one`);
    const declared = as.field(field);
    // The compiler has compared the function with the fields of the author.
    const compute = value as (values: JsonObject, clock: Partial<Clock>) => JsonValue | undefined;
    if (at === 'read') {
      if (as.sortable || Object.keys(as.filters).length > 0)
        throw new Error(
          `'${field}' is computed for each response, so no list has its order: remove sortable and filters`,
        );
      const atReading = (values: JsonObject, clock: Clock) =>
        storable(name, field, declared, compute(values, clock));
      return [field, { ...declared, server: true, atReading }];
    }
    const sentence = `'${field}' is stored, so it cannot use today(): state at: 'read', and take today from the second argument of value`;
    const stored = (values: JsonObject) => withoutClock(sentence, () => compute(values, STORED));
    return [field, computed(declared, (values) => storable(name, field, declared, stored(values)))];
  });
  const isShown = (field: Field | undefined) => field?.kind === 'text' && field.readableBy === undefined;
  const title = facts.itemTitle ?? ['name', 'title'].find((one) => isShown(fields[one]));
  const { identifier, open = false, version = 1, singular = singularOf(name) } = facts;
  return describe({
    singular,
    version,
    ...(title === undefined ? {} : { title: title as Title }),
    open,
    ...(identifier ? { identifier: { kind: 'integer', example: EXAMPLE, ...identifier } } : {}),
    fields: { ...fields, ...Object.fromEntries(computedFields) },
    required,
  });
}

/** The clock of stored values, which refuses to say the day. */
const STORED: Partial<Clock> = {
  get today() {
    return today();
  },
};

/** @throws Error if an item cannot store a computed number, such as NaN */
function storable(
  name: string,
  field: string,
  { kind }: Field,
  value: JsonValue | undefined,
): JsonValue | undefined {
  const isStorable =
    typeof value !== 'number' || (kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value));
  if (isStorable) return value;
  throw new Error(`${name}: '${field}' computes ${value}, and the kind ${kind} has no such value.`);
}

/** An identifier as the service chooses it. */
const EXAMPLE = 114811818447734;

/** Returns the other names of filters. @throws Error if two fields have one name */
export function filtersOf(fields: Fields): Readonly<Record<string, FilterName>> {
  const all: Record<string, FilterName> = {};
  for (const [field, { filters }] of Object.entries(fields))
    for (const [name, suffix] of Object.entries(filters)) {
      if (Object.hasOwn(all, name)) throw new Error(`Two filters have the name ${name}: rename one`);
      all[name] = `${field}.${suffix}`;
    }
  return all;
}

/** Returns the process that a field states; undefined if none does. @throws Error if two fields do */
export function processOf(fields: Fields): Process | undefined {
  const [first, second] = Object.entries(fields).flatMap(([field, { process }]) =>
    process ? [{ ...process, field }] : [],
  );
  if (first && second)
    throw new Error(
      `'${first.field}' and '${second.field}' are processes. An item has one: make the other a text with choices.`,
    );
  return first;
}

/** The fields that select a list of their own: the parent, and references that the service finds after a removal. */
export const partitionsOf = (fields: Fields, parent: string | undefined): readonly string[] =>
  Object.entries(fields).flatMap(([name, one]) =>
    name === parent || (referenceOf(one.field(name))?.onDelete ?? 'keep') !== 'keep' ? [name] : [],
  );

/** Returns the links of an item to its related items and to its bytes. */
export function linksOf(resource: string, fields: Fields): (item: Item) => readonly LinkFact[] {
  const references = referencesIn(fields);
  const bytes = Object.entries(fields).flatMap(([field, { link: rel }]) =>
    rel === undefined ? [] : [{ field, rel }],
  );
  return ({ id, values, binaries = {} }) => [
    ...references.flatMap(({ name: rel, field, to, linked }) => {
      const related = values[field];
      if (typeof related !== 'number') return [];
      return [{ rel, href: linked === 'below' ? `/${resource}/${id}/${rel}` : `/${to.name}/${related}` }];
    }),
    ...bytes.flatMap(({ field, rel }) => {
      const stored = binaries[field];
      return stored ? [{ rel, href: binaryHref(resource, id, field), types: [stored.contentType] }] : [];
    }),
  ];
}

/** Returns the tables of others that the function of the resource needs. */
export function usesOf(
  fields: Fields,
  {
    reads = [],
    writes = [],
    below = [],
  }: Pick<ResourceFacts<Fields, unknown, undefined, unknown, string>, 'reads' | 'writes' | 'below'>,
): readonly Use[] {
  const checked = Object.entries(fields).flatMap(
    ([name, one]) => referenceOf(one.field(name))?.resource ?? [],
  );
  return [
    ...checked.map((table): Use => ({ table, access: 'check' })),
    ...writes.map((other): Use => ({ writes: other })),
    ...reads.map((other): Use => ({ reads: other })),
    ...below.map(({ table }): Use => ({ table, access: 'read' })),
  ];
}
