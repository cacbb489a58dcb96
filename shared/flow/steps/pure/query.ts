import type { Fault } from '../../../http/problem.ts';
import { comparisonOf } from '../../../resource/lists/filter-parameter.ts';
import type { PageQuery } from '../../../resource/lists/page.ts';
import { isCollection } from '../../../resource/route.ts';
import { type Ending, refuse, refuseScopes, refuseTenant } from '../../ending.ts';
import type { NamedRelation, Negotiated, Preferred, Received, Selected, Targeted } from '../../exchange.ts';
import { misspelt } from '../../request/query/filters.ts';
import { defaultPage, readPage } from '../../request/query/page.ts';
import { refusedBy } from '../../selection/expansion.ts';
import { readExpand, readFields, wholeOnly } from '../../selection/parameters.ts';
import { step } from '../../step.ts';

const PAGE_PARAMETERS = ['limit', 'offset', 'sort', 'order', 'after'];
/** Parameters that a client can repeat. */
const REPEATED = ['fields', 'expand', 'sort'];

type Needed = Received & Targeted & Negotiated & Preferred;

const NO_RELATIONS: readonly NamedRelation[] = [];

/**
 * Reads the query: the page, the selected properties and the relations to expand. Unknown parameters have no effect, and
 * a list names them. They get 400 if the client wants strict handling, and where an ignored filter would cause harm: `DELETE
 * /customers?name=x` must not remove all customers. The response reports all faults at once.
 *
 * Source: Specification 4.21, 4.22.
 */
export const query = step<Needed, Selected>()('query', [400, 403], (exchange) => {
  const { request, resource, endpoint, route } = exchange;
  const strict = exchange.preferences.get('handling') === 'strict';
  const applied = strict ? [...exchange.applied, 'handling=strict'] : exchange.applied;
  const isList = endpoint.shape === 'list';
  const first = isList ? counted(exchange, defaultPage(resource)) : defaultPage(resource);
  const known = knownParameters(exchange);
  const parameters = judgedParameters(exchange, known, strict);
  const { ignored } = parameters;
  const none = {
    ...{ page: first, fields: undefined, expand: NO_RELATIONS },
    ...{ ignored, pendingRefusal: undefined, applied },
  };
  if (request.query.size === 0) return none;
  const faults: Fault[] = [
    ...(request.method === 'PUT' && !route.binary ? wholeOnly(resource, request) : []),
    ...parameters.faults,
  ];
  const page =
    (isList || endpoint.hasFilters) && faults.length === 0
      ? counted(exchange, readPage(resource, request, { strict }, faults))
      : first;
  const selects = faults.length === 0 && !route.binary && known.has('fields');
  const fields = selects ? readFields(resource, request, faults) : undefined;
  const expand = known.has('expand') ? readExpand(resource, request, faults) : NO_RELATIONS;
  if (faults.length === 0)
    return (
      forbidden(exchange, expand) ?? {
        ...none,
        page: fields ? { ...page, isPartial: true } : page,
        ...{ fields, expand },
      }
    );
  const ending = refuse('validation-error', 'The query is not valid. Correct the named parameters', {
    errors: faults,
  });
  if (!endpoint.parent) return ending;
  // A missing parent has precedence: look-up reads the parent and then sends one of the two refusals.
  return { ...none, page, fields, pendingRefusal: { ending, parent: endpoint.parent } };
});

/** Returns the names of the parameters that the request can have, without those of filters. */
function knownParameters({ endpoint, route, resource }: Needed): ReadonlySet<string> {
  const isList = endpoint.shape === 'list';
  const isOfItems = isList || endpoint.shape === 'item';
  return new Set([
    ...(endpoint.parameters ?? []),
    ...(isList ? PAGE_PARAMETERS : []),
    ...(isOfItems || route.binary ? ['fields'] : []),
    ...(isOfItems && Object.keys(resource.relations).length > 0 ? ['expand'] : []),
  ]);
}

/** Returns the faults of the parameters, and the names of those that have no effect on a list. */
function judgedParameters(exchange: Needed, known: ReadonlySet<string>, strict: boolean) {
  const { request, resource, endpoint, route, isSafe } = exchange;
  const { method } = request;
  const refusesUnknown = strict || method === 'DELETE' || (method === 'PUT' && isCollection(route));
  const reader = isSafe && (endpoint.shape === 'list' || endpoint.hasFilters) ? request : undefined;
  const showsIgnored = reader !== undefined || (isSafe && endpoint.takes === 'changes');
  const ignored: string[] = [];
  const faults = [...request.query].flatMap(([parameter, values]): Fault[] => {
    const fault = (detail: string): Fault[] => [{ parameter, detail }];
    if ([parameter, ...values].some((text) => text.includes('\uFFFD')))
      return fault('must be valid percent-encoding of UTF-8');
    const isKnown = known.has(parameter);
    // Parameters that a filter accompanies are lists of fields.
    if (isKnown && endpoint.hasFilters) return [];
    if (reader && comparisonOf(resource, parameter, reader)) return [];
    if (isKnown) return values.length > 1 && !REPEATED.includes(parameter) ? fault('must be given once') : [];
    // Pages have parameters of their own.
    const isOfPages = parameter.startsWith(':');
    const mistake = isOfPages ? undefined : misspelt(resource, parameter, known, reader);
    if (mistake) return fault(mistake);
    if (refusesUnknown || (endpoint.hasFilters && !isOfPages))
      return fault('is not a parameter of this request');
    if (showsIgnored && !isOfPages) ignored.push(parameter);
    return [];
  });
  return { faults, ignored };
}

/** Refuses a caller who cannot read the related items by their own URIs. Source: Specification 11.4. */
function forbidden({ request }: Received, expand: readonly NamedRelation[]): Ending<403> | undefined {
  const [refused] = expand.flatMap(({ relation }) => refusedBy(relation, request.principal) ?? []);
  if (refused === undefined) return undefined;
  return refused === 'no tenant' ? refuseTenant() : refuseScopes([refused.scope]);
}

/** `count=exact` adds the number of items. Without it, the service does not count. Source: Specification 4.23. */
const counted = ({ preferences }: Preferred, page: PageQuery): PageQuery =>
  preferences.get('count') === 'exact' ? { ...page, count: true } : page;
