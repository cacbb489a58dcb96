import { spelling } from '../../http/request.ts';
import { kindOf } from '../kinds/kinds.ts';
import { attributeOf, earlierFormOf, laterFormOf } from './attribute.ts';
import {
  type Description,
  type Field,
  type Fields,
  type Plan,
  SERVER_FIELDS,
  type Title,
} from './description.ts';

/**
 * Describes the items of a resource. service/wrong-facts judges the facts, before a service starts. `plan` follows from
 * them, so a description with other facts is described again.
 */
export function describe<const Declared extends Fields>(
  facts: Pick<Description<Declared>, 'singular' | 'fields'> &
    Partial<Omit<Description, 'fields' | 'required' | 'title' | 'plan'>> & {
      readonly required?: readonly (keyof Declared & string)[];
      readonly title?: Title<keyof Declared & string>;
    },
): Description<Declared> {
  const stated: Omit<Description<Declared>, 'plan'> = {
    version: 1,
    identifier: { name: 'id', kind: 'integer', label: 'Number', example: 114811818447734 },
    required: [],
    open: false,
    internal: {},
    ...facts,
  };
  return { ...stated, plan: compile(stated) };
}

/** True if the service computes the values of a field. */
export const isDerived = ({ computed, atReading }: Pick<Field, 'computed' | 'atReading'>): boolean =>
  computed !== undefined || atReading !== undefined;

function compile(description: Omit<Description, 'plan'>): Plan {
  const all = Object.entries(description.fields);
  const named = (has: (field: Field) => boolean | undefined) =>
    all.flatMap(([name, field]) => (has(field) ? [name] : []));
  const planned = all
    .filter(([, field]) => !field.atReading)
    .map(([name, field]) => ({
      name,
      field,
      kind: kindOf(field),
      attribute: attributeOf(description, name),
      earlier: earlierFormOf(field),
      later: laterFormOf(field),
    }));
  const server = new Set([description.identifier.name, ...SERVER_FIELDS, ...named((field) => field.server)]);
  return {
    fields: new Map(planned.map((one) => [one.name, one])),
    defaulted: planned.flatMap((one) =>
      'default' in one.field && one.field.default !== undefined ? [[one, one.field.default] as const] : [],
    ),
    server,
    spellings: new Map([...server, ...Object.keys(description.fields)].map((name) => [spelling(name), name])),
    computed: all.flatMap(([name, { computed }]) => (computed ? [[name, computed] as const] : [])),
    atReading: all.flatMap(([name, { atReading }]) => (atReading ? [[name, atReading] as const] : [])),
    keptByPut: named(({ keptByPut }) => keptByPut),
    left: named((one) => one.keptByPut || (one.server && !isDerived(one))),
    immutable: named(({ immutable }) => immutable),
    locked: all.flatMap(([name, { lockedIn }]) => (lockedIn ? [[name, lockedIn] as const] : [])),
  };
}

/**
 * Returns the fields of a description that only the service sets, as fields that clients set. The validator
 * `validateServer` of a resource comes from it. It has no computed values.
 */
export const serverPart = ({ singular, fields }: Description): Description =>
  describe({
    singular,
    fields: Object.fromEntries(
      Object.entries(fields).flatMap(([name, { server, ...field }]) =>
        server && !isDerived(field) ? [[name, field]] : [],
      ),
    ),
  });
