import { isSafe } from '../http/method.ts';
import type { Fault } from '../http/problem.ts';
import type { Request } from '../http/request.ts';
import { Decimal } from '../json/decimal.ts';
import { listIdentity, parseCursor } from '../resource/cursor.ts';
import { OPEN_NAME } from '../resource/description.ts';
import type { PageQuery } from '../resource/page.ts';
import type { Resource } from '../resource/resource.ts';
import { ceiling } from './ceiling.ts';
import { refuse } from './ending.ts';
import type { Exchange } from './exchange.ts';
import { step } from './step.ts';

const DEFAULT_LIMIT = 100;
const MAXIMUM_LIMIT = 1000;
const PAGE_PARAMETERS = ['limit', 'offset', 'sort', 'after'];

/**
 * Reads the query: which page, which members. Parameters that mean nothing here are ignored when reading, and refused
 * when writing (`DELETE /customers?name=x` must not remove all). Everything wrong is told at once.
 */
export const query = step('query', [400], (exchange) => {
  const { request, resource, operation, route } = exchange;
  const reading = isSafe(request.method);
  const strict = exchange.preferences.get('handling') === 'strict';
  if (strict) exchange.applied.push('handling=strict');
  if (request.query.size === 0) {
    if (operation.shape === 'list') exchange.page = counted(exchange, defaultPage(resource));
    return undefined;
  }
  const faults: Fault[] = [];
  const known = new Set(operation.parameters);
  if (route.part) known.add('fields');
  if (operation.shape === 'list') {
    for (const name of [
      ...PAGE_PARAMETERS,
      ...Object.keys(resource.filters),
      ...Object.keys(resource.choices),
    ])
      known.add(name);
  }
  if (operation.shape === 'list' || operation.shape === 'item') known.add('fields');
  for (const [name, values] of request.query) {
    if (!known.has(name)) {
      if (!reading || strict) faults.push({ parameter: name, detail: 'is not a parameter of this request' });
    } else if (values.length > 1) faults.push({ parameter: name, detail: 'must be given once' });
  }
  if (faults.length === 0 && operation.shape === 'list')
    exchange.page = counted(exchange, readPage(resource, request, faults));
  if (faults.length === 0 && !route.part && known.has('fields'))
    exchange.only = readFields(resource, request, faults);
  if (faults.length === 0) return undefined;
  const ending = refuse('validation-error', 'The query is not valid', { errors: faults });
  if (!operation.parent) return ending;
  // Under a parent that is missing nothing else matters: look-up tells which it is.
  exchange.invalid = ending;
  return undefined;
});

/** `count=exact` adds the number of items: without it no count is paid for. */
const counted = ({ preferences }: Exchange, page: PageQuery): PageQuery =>
  preferences.get('count') === 'exact' ? { ...page, count: true } : page;

/** The first page in the default order. */
export const defaultPage = (resource: Resource): PageQuery => ({
  limit: DEFAULT_LIMIT,
  offset: 0,
  sort: resource.description?.identifier.name ?? 'id',
  descending: false,
});

function readPage(resource: Resource, request: Request, faults: Fault[]): PageQuery {
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

  // A filtered list comes in the order of what it is filtered by: its index serves both.
  const fallback = atLeast?.field ?? defaultPage(resource).sort;
  const sortText = one('sort') ?? fallback;
  const descending = sortText.startsWith('-');
  const sort = descending ? sortText.slice(1) : sortText;
  const sortable = [...resource.sortable, defaultPage(resource).sort, 'createdAt'];
  if (!sortable.includes(sort)) {
    faults.push({
      parameter: 'sort',
      detail: `must be one of ${sortable.join(', ')}, a minus sign in front for descending`,
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
  for (const [parameter, field] of Object.entries(resource.filters)) {
    const text = request.query.get(parameter)?.[0];
    if (text === undefined) continue;
    const value = text.length <= 1000 ? Decimal.parse(text) : undefined;
    if (value) return { parameter, field, value: ceiling(value) };
    faults.push({ parameter, detail: 'must be a number' });
  }
  return undefined;
}

function readChoice({ choices }: Resource, request: Request, faults: Fault[]): PageQuery['equal'] {
  for (const [parameter, { field, among }] of Object.entries(choices)) {
    const value = request.query.get(parameter)?.[0];
    if (value === undefined) continue;
    if (among.includes(value)) return { parameter, field, value };
    faults.push({ parameter, detail: `must be one of ${among.join(', ')}` });
  }
  return undefined;
}

/** The members that `fields` names. In an open resource any property may exist: look-up tells whether it does. */
function readFields(
  { description }: Resource,
  request: Request,
  faults: Fault[],
): ReadonlySet<string> | undefined {
  const text = request.query.get('fields')?.[0];
  if (text === undefined || !description) return undefined;
  const { fields, identifier, open } = description;
  const declared = [identifier.name, ...Object.keys(fields), 'createdAt', 'updatedAt', 'links'];
  const names = text.split(',');
  for (const name of names) {
    if (declared.includes(name) || (open && OPEN_NAME.test(name))) continue;
    faults.push({
      parameter: 'fields',
      detail: `'${name.slice(0, 64)}' is not a field; there are ${declared.join(', ')}`,
    });
  }
  return new Set(names);
}
