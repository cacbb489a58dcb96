import type { Fault } from '../../http/problem.ts';
import { otherSpellingOf, type Request } from '../../http/request.ts';
import { AUTHORS, sightOf } from '../../resource/access/sight.ts';
import { OPEN_NAME } from '../../resource/description/description.ts';
import type { Resource } from '../../resource/resource.ts';
import { type Ending, refuse } from '../ending.ts';
import type { NamedRelation } from '../exchange.ts';

/** The names in a parameter. Commas separate them, and repeated parameters are joined. An empty one has none. */
const namesIn = ({ query }: Request, parameter: string): ReadonlySet<string> =>
  new Set((query.get(parameter) ?? []).filter((value) => value !== '').flatMap((value) => value.split(',')));

/**
 * The properties that `fields` names; undefined: all. In an open resource, any property may exist. Adds every fault
 * to `faults`.
 *
 * Source: Specification 4.18, 4.19.
 */
export function readFields(
  { description, relations }: Resource,
  request: Request,
  faults: Fault[],
): ReadonlySet<string> | undefined {
  const names = namesIn(request, 'fields');
  if (names.size === 0 || !description) return undefined;
  const { fields, identifier, open } = description;
  const sight = sightOf(description, request);
  const authors = sight.authors ? Object.keys(AUTHORS) : [];
  const seen = Object.keys(sight.description.fields);
  const own = [identifier.name, ...seen, 'createdAt', 'updatedAt', ...authors, 'links'];
  const declared = [...own, ...Object.keys(relations)];
  for (const name of names) {
    const meant = otherSpellingOf(name, declared);
    if (meant) faults.push(unknown('fields', name, `field: use ${meant}`));
    else if (!declared.includes(name) && !(open && OPEN_NAME.test(name) && !Object.hasOwn(fields, name)))
      faults.push(unknown('fields', name, `field: use ${declared.join(', ')}`));
  }
  return names;
}

/**
 * The refusal of a PUT whose `fields` names no binary property. A PUT of one property would remove all others.
 *
 * Source: Specification 4.22.
 */
export function wholeOnly({ description }: Resource, request: Request): Fault[] {
  const { fields = {} } = description ?? {};
  const binaries = Object.keys(fields).filter((name) => fields[name]?.kind === 'binary');
  return [...namesIn(request, 'fields')].map((name) => {
    const meant = otherSpellingOf(name, binaries);
    const advice = meant ? `use ${meant}` : 'leave fields out, or send a PATCH';
    return unknown('fields', name, `binary property: ${advice}`);
  });
}

/** Refuses `fields` that names a binary property together with others. Source: Specification 4.20. */
export const notAlone = (binary: string): Ending<400> =>
  refuse('validation-error', `${binary} is binary: request it without other fields`, {
    errors: [{ parameter: 'fields', detail: `must be ${binary} alone` }],
  });

/**
 * The relations that `expand` names, in the order of their declaration. Adds every fault to `faults`.
 *
 * Source: Specification 4.24.
 */
export function readExpand({ relations }: Resource, request: Request, faults: Fault[]): NamedRelation[] {
  const names = namesIn(request, 'expand');
  for (const name of names) {
    if (Object.hasOwn(relations, name)) continue;
    faults.push(unknown('expand', name, `relation: use ${Object.keys(relations).join(', ')}`));
  }
  return Object.entries(relations).flatMap(([name, relation]) =>
    names.has(name) ? [{ name, relation }] : [],
  );
}

const unknown = (parameter: string, name: string, what: string): Fault => ({
  parameter,
  detail: `'${name.slice(0, 64)}' is not a ${what}`,
});
