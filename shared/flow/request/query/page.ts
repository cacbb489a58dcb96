import type { Fault } from '../../../http/problem.ts';
import { type Request, SAFE_METHODS } from '../../../http/request.ts';
import { queryNumber } from '../../../resource/kinds/numbers.ts';
import { picksRange } from '../../../resource/kinds/operators.ts';
import { listIdentity, parseCursor } from '../../../resource/lists/cursor.ts';
import type { Filter } from '../../../resource/lists/filter.ts';
import type { PageQuery } from '../../../resource/lists/page.ts';
import type { Resource } from '../../../resource/resource.ts';
import { readFilters } from './filters.ts';
import { readSortOrder } from './sort-keys.ts';

const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1000;

/** The first page in the default sort order. */
export const defaultPage = ({ description }: Resource): PageQuery => ({
  limit: DEFAULT_LIMIT,
  offset: 0,
  sortOrder: [{ field: description?.identifier.name ?? 'id', descending: false }],
  filters: [],
});

/** Reads the page that the query selects. Adds every fault to `faults`. Source: Specification 4.1 to 4.16, 4.26. */
export function readPage(
  resource: Resource,
  request: Pick<Request, 'method' | 'path' | 'query' | 'principal'>,
  { strict }: { readonly strict: boolean },
  faults: Fault[],
): PageQuery {
  const one = (name: string) => request.query.get(name)?.[0];
  const count = (parameter: string, otherwise: number) => {
    const text = one(parameter);
    if (text === undefined) return otherwise;
    const number = queryNumber(text);
    if (number?.isInteger && number.compare(0) >= 0) return number.toNumber();
    faults.push({ parameter, detail: 'must be an integer of 0 or more' });
    return otherwise;
  };
  const limit = Math.min(count('limit', DEFAULT_LIMIT), MAXIMUM_LIMIT);
  const offset = count('offset', 0);
  if (!Number.isSafeInteger(offset)) faults.push({ parameter: 'offset', detail: 'must be below 2^53' });
  const filters = SAFE_METHODS.has(request.method) ? readFilters(resource, request, faults) : [];
  const { description } = resource;
  const fallback = rangeField(resource, filters) ?? description?.identifier.name ?? 'id';
  const sortOrder = description ? readSortOrder(description, request, { fallback, strict }, faults) : [];
  const page: PageQuery = { limit, offset, sortOrder, filters };
  const cursor = one('after');
  if (cursor === undefined || faults.length > 0) return page;
  const read = parseCursor(
    listIdentity(request.path, page),
    cursor,
    resource.description?.identifier.kind ?? 'integer',
  );
  if (!read) faults.push({ parameter: 'after', detail: 'is not a cursor of this list' });
  const { position: after, offset: reached = offset } = read ?? {};
  // Generated clients send the default of every parameter.
  if (offset !== 0 && offset !== reached)
    faults.push({ parameter: 'offset', detail: `must be ${reached} with this cursor, or be left out` });
  return { ...page, offset: reached, after };
}

/** Without `sort`, a filter by a range also decides the sort order: one index serves both. */
const rangeField = ({ sortable }: Resource, filters: readonly Filter[]): string | undefined =>
  sortable.find((name) => filters.some(({ field, operator }) => field === name && picksRange(operator)));
