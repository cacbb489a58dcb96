import { withQuery } from '../http/paths.ts';
import type { Sight } from './access/sight.ts';
import { suffixesOf, visibleScalars } from './lists/filter.ts';
import type { Resource } from './resource.ts';

/** The parameters by which a client chooses a page of any list. */
const PAGE = ['sort', 'order', 'limit', 'offset', 'fields'];

/**
 * Returns the URI template of a list: its filters, and the parameters that choose the page. It leaves out comparisons
 * of identifiers, whose order means nothing, and the filters of properties that the reader does not see.
 *
 * Source: Specification 4.25; RFC 6570 §3.2.8.
 */
export function listTemplate(resource: Listed, path: string, sight: Sight): string {
  const queries = queriesOf.get(resource) ?? new WeakMap<Sight, string>();
  queriesOf.set(resource, queries);
  const query = queries.get(sight) ?? queryOf(resource, sight);
  queries.set(sight, query);
  return path + query;
}

/**
 * Returns the path and the query of a list that begins with its newest items, as pages link it. Numbers of items have
 * the order of creation; other lists keep their default order. `filters`: parameters with values.
 */
export function newestList(
  { name, description }: Pick<Resource, 'name' | 'description'>,
  filters: readonly (readonly [string, string])[] = [],
): string {
  const { identifier } = description ?? {};
  const sort = identifier?.kind === 'integer' ? [['sort', `-${identifier.name}`] as const] : [];
  return withQuery(`/${name}`, [...filters, ...sort]);
}

type Listed = Pick<Resource, 'filters' | 'relations'>;

const queriesOf = new WeakMap<Listed, WeakMap<Sight, string>>();

function queryOf({ filters, relations }: Listed, sight: Sight): string {
  const { identifier } = sight.description;
  const visible = visibleScalars(sight);
  const fields = Object.entries(visible);
  const named = Object.keys(filters).filter((one) =>
    Object.hasOwn(visible, (filters[one] as string).split('.')[0] as string),
  );
  const equal = [...(identifier.name === 'id' ? [] : ['id']), ...fields.map(([name]) => name)];
  const identifiers = [identifier.name, ...Object.values(relations).map(({ field }) => field)];
  const ranges = fields.flatMap(([name, field]) =>
    identifiers.includes(name) ? [] : suffixesOf(field).map((suffix) => `${name}.${suffix}`),
  );
  const page = Object.keys(relations).length > 0 ? [...PAGE, 'expand'] : PAGE;
  return `{?${[...equal, ...named, ...ranges, ...page].join(',')}}`;
}
