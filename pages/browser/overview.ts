import { setTimeout } from 'node:timers/promises';
import { answer } from '../../shared/flow/answer.ts';
import { documentOf } from '../../shared/flow/response/document.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { hasList } from '../../shared/resource/route.ts';
import { linksOf } from '../links.ts';
import type { Overview, OverviewList } from '../page-document.ts';
import { withNamedFilters } from './names.ts';

/** The home page appears without the lists that take longer, in ms. */
const PATIENCE = 2000;

/** The response to a list that goes into the home page. */
const INSIDE = { status: 204, headers: {} };

/**
 * Reads lists for the home page. Each list is an ordinary request of the same caller, so it has the rights of the caller
 * and the owners of the items. A list that fails or takes too long leaves the others in place. `faults` gets the reasons.
 * `matches` gets the addresses of the items that a search finds by words of their own names; undefined: there may be more.
 *
 * Source: Specification 6.15.
 */
export function overviewOf(
  all: readonly Resource[],
  request: Request,
  faults: unknown[],
  matches: (string | undefined)[] = [],
): Overview {
  const collections = all.filter((one) => one.table && hasList(one));
  return {
    collections,
    list: async ({ name }, query) => {
      const resource = collections.find((one) => one.name === name);
      if (!resource) return 'refused';
      const list = (await within(PATIENCE, read(resource, request, query, faults))) ?? 'unavailable';
      if (Object.keys(query).some((parameter) => parameter.endsWith('.words'))) {
        if (list === 'unavailable') matches.push(undefined);
        else if (list !== 'refused') matches.push(...list.items.map((item) => selfOf(item)));
      }
      return list;
    },
  };
}

const selfOf = (item: OverviewList['items'][number]): string | undefined =>
  linksOf(item).find(({ rel }) => rel === 'self')?.href;

/** Reads a page of a list. It does not throw. */
async function read(
  resource: Resource,
  request: Request,
  query: Readonly<Record<string, string>>,
  faults: unknown[],
): Promise<OverviewList | 'refused' | 'unavailable'> {
  const path = `/${resource.name}`;
  let result: OverviewList | 'refused' | 'unavailable' = 'unavailable';
  try {
    const { cookie, authorization } = request.headers;
    const list: Request = {
      ...request,
      method: 'GET',
      path,
      template: path,
      parameters: {},
      query: new Map(Object.entries(query).map(([name, value]) => [name, [value]])),
      headers: { cookie, authorization, accept: 'application/json' },
      content: () => undefined,
    };
    const { fault } = await answer(resource, await withNamedFilters(resource, list), {
      respond: async (exchange) => {
        const { outcome } = exchange;
        if (outcome.kind === 'found' && outcome.state.kind === 'list') {
          const { members, expansions, versions } = documentOf(exchange, outcome.state);
          const items = members.items as OverviewList['items'];
          result = { items, expansions, versions, isWhole: outcome.state.page.next === undefined };
        }
        return INSIDE;
      },
      refuse: async () => {
        result = 'refused';
        return INSIDE;
      },
    });
    if (fault !== undefined) faults.push(fault);
  } catch (error) {
    faults.push(error);
  }
  return result;
}

/**
 * Returns the result of some work; undefined if it takes longer than `ms` milliseconds. The work goes on, and must not
 * throw.
 */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const timer = new AbortController();
  const late = setTimeout(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  const result = await Promise.race([work, late]);
  timer.abort();
  return result;
}
