import type { Fault } from '../../http/problem.ts';
import { otherSpellingOf, spelling } from '../../http/request.ts';
import { formatPointer, parsePointer, resolve } from '../../json/pointer.ts';
import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Description, Field, Fields } from './description.ts';

/** Returns the declared name of which a name is another spelling; undefined for a declared name and for any other. */
export function declaredSpellingOf({ fields, plan }: Named, name: string): string | undefined {
  const isDeclared = Object.hasOwn(fields, name) || plan.server.has(name);
  return isDeclared ? undefined : plan.spellings.get(spelling(name));
}

type Named = Pick<Description, 'fields' | 'plan'>;

/** Returns what is wrong with another spelling of a declared name. `of`: what declares it. */
export const otherSpelling = (of: string, meant: string): string =>
  `is not a property of ${of}: use ${meant}`;

/**
 * Returns the faults of the names in content that are other spellings of declared ones, at all depths. `of`: the name of the
 * resource, or of what else takes the content. `others`: names that the content has outside of the document.
 *
 * Source: Specification 2.54.
 */
export function faultsOfNames(
  of: string,
  description: Named,
  document: JsonObject,
  others: readonly string[] = [],
): Fault[] {
  const { fields } = description;
  const found = new Set([...Object.keys(document), ...others]);
  return [...found].flatMap((name) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return faultsInside(of, field, document[name] ?? null, [name]);
    if (name === 'items' && isList(document[name])) return listAmongOthers(of);
    return faultOf(of, declaredSpellingOf(description, name), [name]);
  });
}

/** True for items: an array of objects. */
const isList = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/** Returns the fault of a list in the place of an item. Source: Specification 9.5. */
const listAmongOthers = (of: string): Fault[] => [
  {
    pointer: '/items',
    detail: `is not a property of ${of}: send several items to the collection as {"items":[…]} without others`,
    rule: 'name',
  },
];

const faultOf = (of: string, meant: string | undefined, path: readonly string[]): Fault[] =>
  meant ? [{ pointer: formatPointer(path), detail: otherSpelling(of, meant), rule: 'name' }] : [];

/** Returns the faults of the names in a value of a structure, or in an array of such values. */
function faultsInside(of: string, field: Field, value: JsonValue, path: readonly string[]): Fault[] {
  if (field.kind !== 'array' && field.kind !== 'structure') return [];
  if (Array.isArray(value)) {
    const element = field.kind === 'array' ? field.of : field;
    return value.flatMap((one, at) => faultsInside(of, element, one, [...path, String(at)]));
  }
  if (field.kind === 'array' || !isObject(value)) return [];
  const { fields }: { readonly fields: Fields } = field;
  return Object.keys(value).flatMap((name) => {
    const inner = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const below = [...path, name];
    return inner
      ? faultsInside(of, inner, value[name] as JsonValue, below)
      : faultOf(path.join('.'), otherSpellingOf(name, Object.keys(fields)), below);
  });
}

/**
 * Returns the faults without those of names that an item has already: an earlier release stored them. `binaries`: the
 * names of its binary properties. Source: Specification 2.50, 2.54.
 */
export const faultsOfNewNames = (
  faults: readonly Fault[],
  stored: JsonObject,
  binaries: readonly string[],
): readonly Fault[] =>
  faults.filter(({ rule, pointer = '' }) => {
    const path = parsePointer(pointer) ?? [];
    return rule !== 'name' || !(resolve(stored, path).found || binaries.includes(path.join('/')));
  });
