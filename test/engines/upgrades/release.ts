import type { JsonObject, JsonValue } from '../../../shared/json/value.ts';
import type { Ownership } from '../../../shared/resource/access/owner.ts';
import { laterFormOf } from '../../../shared/resource/description/attribute.ts';
import type { Field, Fields } from '../../../shared/resource/description/description.ts';
import { describe as described } from '../../../shared/resource/description/plan.ts';
import { type Resource, resource } from '../../../shared/resource/resource.ts';
import { collection } from '../../../shared/resource/styles/collection.ts';
import { itemActions } from '../../../shared/store/actions/item-actions.ts';

/** The facts about a thing that clients know, under names that no release changes. */
export type Facts = Readonly<Record<string, string | number>>;

/** A property of a release: its field, the fact that it shows, and the form in which it shows the fact. */
interface Property {
  readonly field: Field;
  readonly fact: string;
  readonly as?: (fact: string | number) => JsonValue;
}

/** One resource of a release: its definition, and how its clients write and see facts. */
export interface Release {
  readonly resource: Resource;
  readonly version: number;
  /** The latest version of items that it can read. */
  readonly reads: number;
  readonly properties: Readonly<Record<string, Property>>;
}

interface Facets {
  readonly version?: number;
  readonly properties: Release['properties'];
  readonly sortable: readonly string[];
  readonly partitions?: readonly string[];
  readonly shards?: number;
  readonly owner?: Ownership;
}

/** A release of a collection of things. */
export function released(
  name: string,
  { version = 1, properties, sortable, partitions, shards, owner }: Facets,
): Release {
  const fields: Fields = Object.fromEntries(
    Object.entries(properties).map(([property, { field }]) => [property, field]),
  );
  const made = resource({
    name,
    title: name,
    about: name,
    description: described({ singular: 'thing', version, fields }),
    validate: () => true,
    sortable: [...sortable],
    ...(owner ? { owner } : {}),
    table: {
      ...(partitions ? { partitions: [...partitions] } : {}),
      ...(shards === undefined ? {} : { shards }),
    },
    routes: (one) => collection(`/${name}`, itemActions(one)),
  });
  const later = Object.values(fields).flatMap((field) => laterFormOf(field)?.from ?? []);
  return { resource: made, version, reads: Math.max(version, ...later), properties };
}

/** Facts as the clients of a release write and see them. */
export const shown = ({ properties }: Release, facts: Facts): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([property, { fact, as = (value: string | number) => value }]) => {
      const value = facts[fact];
      return value === undefined ? [] : [[property, as(value)]];
    }),
  );

/** The facts that the clients of a release know. */
export const known = ({ properties }: Release, facts: Facts): Facts =>
  Object.fromEntries(
    Object.values(properties).flatMap(({ fact }) => {
      const value = facts[fact];
      return value === undefined ? [] : [[fact, value]];
    }),
  );
