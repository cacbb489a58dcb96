import { misspelt } from '../../shared/flow/request/query/filters.ts';
import { readPage } from '../../shared/flow/request/query/page.ts';
import type { Fault } from '../../shared/http/problem.ts';
import { Decimal } from '../../shared/json/decimal.ts';
import type { Caller } from '../../shared/resource/access/owner.ts';
import type { Reader } from '../../shared/resource/access/sight.ts';
import type { Item } from '../../shared/resource/item.ts';
import { matches, propertyOf } from '../../shared/resource/lists/filter.ts';
import { comparisonOf } from '../../shared/resource/lists/filter-parameter.ts';
import type { ListPosition, PageQuery } from '../../shared/resource/lists/page.ts';
import { descriptionOf, type Resource } from '../../shared/resource/resource.ts';
import { readable } from '../../shared/store/form/attributes.ts';
import { itemsOf } from '../../shared/store/items/items.ts';
import { listingOutcome, type StoredPage } from '../../shared/store/items/outcomes.ts';
import { Pages } from '../../shared/store/lists/pages.ts';
import { ListTooLong } from '../refusal.ts';
import type { PlainOptions } from './list-filters.ts';

/** The most items that code holds at once. A page of large items has fewer. */
const PAGE = 1000;

/** Code sees all fields, as it does when it reads one item. */
const READER: Reader = {};

/**
 * Returns the pages of a list, as the code of an author asks for it.
 * @throws Error with a sentence if a filter, an order or the limit is wrong
 */
export function pagesOf(
  resource: Resource,
  caller: Caller,
  filters: object,
  { sort, limit = Number.POSITIVE_INFINITY }: PlainOptions,
): AsyncGenerator<readonly Item[], undefined> {
  if (!(Number.isInteger(limit) || limit === Number.POSITIVE_INFINITY) || limit < 0)
    throw wrong(resource, [{ parameter: 'limit', detail: 'must be a whole number, 0 or more' }]);
  return readPages(resource, caller, queryOf(resource, filters, sort), limit);
}

/** Reads the values of one item; undefined if the caller sees none. */
export const readOne = async (resource: Resource, caller: Caller, id: number | string) =>
  (await itemsOf(resource, caller).get(id))?.values;

/** Counts the items of a list, exactly. @throws Error as `pagesOf` */
export async function countItems(resource: Resource, caller: Caller, filters: object): Promise<number> {
  const query = queryOf(resource, filters, undefined);
  if (isEmpty(query)) return 0;
  const { total } = await readPageOf(resource, caller, { ...query, limit: 0, count: true });
  if (total !== undefined) return total;
  let count = 0;
  for await (const page of readPages(resource, caller, query, Number.POSITIVE_INFINITY)) count += page.length;
  return count;
}

/** True if an item meets the filters of a list. @throws Error as `pagesOf` */
export function meetsFilters(resource: Resource, filters: object, item: Item): boolean {
  const description = descriptionOf(resource);
  const query = queryOf(resource, filters, undefined);
  return query.filters.every((one) => matches(one, propertyOf(description, item, one.field)));
}

async function* readPages(
  resource: Resource,
  caller: Caller,
  query: PageQuery,
  limit: number,
): AsyncGenerator<readonly Item[], undefined> {
  let left = isEmpty(query) ? 0 : limit;
  let after: ListPosition | undefined;
  while (left > 0) {
    const page = await readPageOf(resource, caller, {
      ...query,
      limit: Math.min(left, PAGE),
      ...(after ? { after } : {}),
    });
    yield page.items.map((item) => readable(resource.name, item));
    left -= page.items.length;
    after = page.next;
    if (!after) break;
  }
  return undefined;
}

/** A choice of no values selects nothing. */
const isEmpty = ({ filters }: PageQuery): boolean => filters.some(({ values }) => values.length === 0);

/** Reads one page. @throws ListTooLong if the list is too long for its order */
async function readPageOf(resource: Resource, caller: Caller, query: PageQuery): Promise<StoredPage> {
  const listing = await new Pages(resource).list(caller, query);
  if (listing.kind === 'page') return listing.page;
  const outcome = listingOutcome(listing);
  const sentence = `The code cannot list ${resource.name}: ${outcome.kind === 'refused' ? outcome.problem.detail : listing.kind}`;
  throw listing.kind === 'tooLong' ? new ListTooLong(sentence) : new Error(sentence);
}

/** Returns the query that a client would send for the same list. @throws Error with a sentence for each fault */
function queryOf(
  resource: Resource,
  filters: object,
  sort: string | readonly string[] | undefined,
): PageQuery {
  const faults: Fault[] = [];
  const query = new Map<string, string[]>();
  for (const [parameter, value] of Object.entries(filters)) {
    const comparison = comparisonOf(resource, parameter, READER);
    const fault = (detail: string) => faults.push({ parameter, detail });
    if (!comparison)
      fault(misspelt(resource, parameter, new Set(), READER) ?? 'is not a filter of this list');
    else if (value === undefined || value === null) fault('has no value: leave the filter out');
    else
      query.set(
        parameter,
        [value].flat().map((one) => textOf(one, comparison.field.kind)),
      );
  }
  if (sort !== undefined) query.set('sort', [[sort].flat().join(',')]);
  const request = { ...READER, method: 'GET', path: `/${resource.name}`, query };
  const page = readPage(resource, request, { strict: true }, faults);
  if (faults.length > 0) throw wrong(resource, faults);
  return page;
}

/** Returns a value as the query of a request has it. */
function textOf(value: unknown, kind: string): string {
  if (kind === 'timestamp' && typeof value === 'number') return new Date(value).toISOString();
  const text = value instanceof Decimal ? value.text : String(value);
  return text.replaceAll(',', '\\,');
}

const wrong = ({ name }: Resource, faults: readonly Fault[]): Error =>
  new Error(
    `The code cannot list ${name}: ${faults.map((one) => `${'parameter' in one ? one.parameter : ''} ${one.detail}`).join('; ')}`,
  );
