import { refusedBy } from '../../shared/flow/selection/expansion.ts';
import type { Fault } from '../../shared/http/problem.ts';
import { type Request, SAFE_METHODS } from '../../shared/http/request.ts';
import { formatPointer } from '../../shared/json/pointer.ts';
import type { FormFields } from '../../shared/representations/forms/inputs.ts';
import { comparisonOf } from '../../shared/resource/lists/filter-parameter.ts';
import type { FoundItems, Relation } from '../../shared/resource/relation.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { meantIds, NO_ITEM, namedInput, namedValue, writtenName } from '../forms/named-input.ts';
import { itemsNamed } from '../forms/offers.ts';
import { titleOf } from '../names/item-name.ts';
import { isList } from './ordinary-request.ts';

/** Returns the relation of a field whose items the caller can find by their names. */
function relationOf(
  { relations }: Named,
  field: string,
  { principal, isClosed }: Request,
): Relation | undefined {
  const found = Object.values(relations).find((one) => one.field === field && one.find);
  const isUnknown = isClosed && !principal;
  return found && !isUnknown && refusedBy(found, principal) === undefined ? found : undefined;
}

/**
 * Returns the relations whose items a person can name in a form: those of the body of a custom action at the path, or else
 * of the items.
 */
export function namedAt({ routes, relations }: Resource, { template }: Request): Named {
  const body = routes.find(({ path }) => path === template)?.endpoints.POST?.body;
  return { relations: body?.relations ?? relations };
}

type Named = Pick<Resource, 'relations'>;

/** Returns the inputs of a form in which a person has written names of related items: each with its relation. */
export const namesIn = (resource: Named, request: Request, fields: FormFields): [string, Relation][] =>
  [...fields.keys()].flatMap((field): [string, Relation][] => {
    const relation = relationOf(resource, field, request);
    const isName = writtenName(fields, field) !== '' && meantIds(fields, field) === undefined;
    return relation && isName ? [[field, relation]] : [];
  });

/** The inputs of a form after a search for the names in it. `faults`: the names that no item or several items have. */
interface Searched {
  readonly fields: FormFields;
  readonly faults: readonly Fault[];
}

/**
 * Finds the items that a person has named in a form.
 *
 * Source: Specification 6.9.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function searchNames(
  names: readonly [string, Relation][],
  fields: FormFields,
  request: Request,
): Promise<Searched> {
  const searched = new Map(fields);
  const faults: Fault[] = [];
  for (const [field, relation] of names) {
    const text = writtenName(fields, field);
    const { name: plural, description } = relation.to;
    const found = await itemsNamed(relation, text, request);
    // The ordinary refusal of the text says that it must be a number.
    if (!found) continue;
    const { items, isMore } = found;
    const [first, ...others] = items;
    if (first && others.length === 0 && !isMore) {
      const name = titleOf(description, first.values) ?? text;
      searched.set(field, [name]).set(namedInput(field), [namedValue(first.id, name)]);
      continue;
    }
    const count = isMore ? `more than ${items.length}` : items.length;
    const detail = first
      ? `${count} ${plural} begin with “${text}”: choose one, or write more of the name`
      : `there is no ${description.singular} “${text}”`;
    faults.push({ pointer: formatPointer([field]), detail });
  }
  return { fields: searched, faults };
}

/** Returns the inputs of a form with numbers instead of the names of related items. */
export const withNumbers = ({ relations }: Named, fields: FormFields): FormFields =>
  new Map([
    ...fields,
    ...Object.values(relations).flatMap(({ field }): [string, string[]][] => {
      const id = meantIds(fields, field);
      return id === undefined ? [] : [[field, [id]]];
    }),
  ]);

/**
 * Replaces names of related items in the filters of a list by the numbers of all items that a name can mean. Other
 * requests stay as they are.
 *
 * Source: Specification 6.9.
 *
 * @throws Unavailable if the storage does not respond
 */
export async function withNamedFilters(resource: Resource, request: Request): Promise<Request> {
  if (!SAFE_METHODS.has(request.method) || !isList(resource, request)) return request;
  const query = new Map(request.query);
  for (const parameter of request.query.keys()) {
    const comparison = comparisonOf(resource, parameter, request);
    const relation = comparison?.operator === '=' && relationOf(resource, comparison.name, request);
    const text = writtenName(request.query, parameter);
    if (!relation || text === '') continue;
    const known = meantIds(request.query, parameter);
    const ids = known ?? idsOf(await itemsNamed(relation, text, request));
    // The ordinary refusal of the text says that it must be a number.
    if (ids !== undefined && ids !== text)
      query.set(parameter, [ids]).set(namedInput(parameter), [namedValue(ids, text)]);
  }
  return { ...request, query };
}

/** Returns the numbers that a filter gets in place of a name. */
function idsOf(found: FoundItems | undefined): string | undefined {
  if (!found) return undefined;
  const ids = found.items.map(({ id }) => String(id));
  return (found.isMore || ids.length === 0 ? [...ids, NO_ITEM] : ids).join(',');
}
