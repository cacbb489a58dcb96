import type { Fault } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import { Decimal } from '../../json/decimal.ts';
import { listIdentity, parseCursor } from '../../resource/lists/cursor.ts';
import type { PageQuery } from '../../resource/lists/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { ceilToStorableNumber } from './storable-number.ts';

const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1000;

/** The first page in the default order. */
export const defaultPage = (resource: Resource): PageQuery => ({
  limit: DEFAULT_LIMIT,
  offset: 0,
  sort: resource.description?.identifier.name ?? 'id',
  descending: false,
});

/** Reads the page that the query selects. Adds every fault to `faults`. Source: Specification 4.1 to 4.5, 4.10. */
export function readPage(resource: Resource, request: Request, faults: Fault[]): PageQuery {
  const one = (name: string) => request.query.get(name)?.[0];
  const count = (parameter: string, otherwise: number) => {
    const text = one(parameter);
    if (text === undefined) return otherwise;
    if (/^[0-9]{1,400}$/.test(text)) return Number(text);
    faults.push({ parameter, detail: 'must be an integer of 0 or more' });
    return otherwise;
  };
  const limit = Math.min(count('limit', DEFAULT_LIMIT), MAXIMUM_LIMIT);
  const offset = count('offset', 0);
  if (!Number.isSafeInteger(offset)) faults.push({ parameter: 'offset', detail: 'must be below 2^53' });
  const atLeast = readFilter(resource, request, faults);

  // Without `sort`, a filter also decides the order: one index serves both.
  const fallback = atLeast?.field ?? defaultPage(resource).sort;
  const sortText = one('sort') ?? fallback;
  const descending = sortText.startsWith('-');
  const sort = descending ? sortText.slice(1) : sortText;
  const sortable = [...resource.sortable, defaultPage(resource).sort, 'createdAt'];
  if (!sortable.includes(sort)) {
    faults.push({
      parameter: 'sort',
      detail: `must be one of ${sortable.join(', ')}, with a minus sign in front for descending order`,
    });
  }

  const equal = readChoice(resource, request, faults);
  const page: PageQuery = {
    limit,
    offset,
    sort,
    descending,
    ...(atLeast ? { atLeast } : {}),
    ...(equal ? { equal } : {}),
  };
  const cursor = one('after');
  if (cursor === undefined || faults.length > 0) return page;
  const after = parseCursor(
    listIdentity(request.path, page),
    cursor,
    resource.description?.identifier.kind ?? 'integer',
  );
  if (!after) faults.push({ parameter: 'after', detail: 'is not a cursor of this list' });
  return { ...page, after };
}

function readFilter(resource: Resource, request: Request, faults: Fault[]): PageQuery['atLeast'] {
  for (const [parameter, { kind, field }] of Object.entries(resource.filters)) {
    if (kind !== 'atLeast') continue;
    const text = request.query.get(parameter)?.[0];
    if (text === undefined) continue;
    const value = text.length <= 1000 ? Decimal.parse(text) : undefined;
    if (value) return { parameter, field, value: ceilToStorableNumber(value) };
    faults.push({ parameter, detail: 'must be a number' });
  }
  return undefined;
}

function readChoice({ filters }: Resource, request: Request, faults: Fault[]): PageQuery['equal'] {
  for (const [parameter, filter] of Object.entries(filters)) {
    if (filter.kind !== 'equal') continue;
    const { field, among } = filter;
    const value = request.query.get(parameter)?.[0];
    if (value === undefined) continue;
    if (among.includes(value)) return { parameter, field, value };
    faults.push({ parameter, detail: `must be one of ${among.join(', ')}` });
  }
  return undefined;
}
