import { isSafe } from '../../http/method.ts';
import type { Fault } from '../../http/problem.ts';
import type { Request } from '../../http/request.ts';
import { OPEN_NAME } from '../../resource/description/description.ts';
import type { PageQuery } from '../../resource/lists/page.ts';
import type { Resource } from '../../resource/resource.ts';
import { isCollection } from '../../resource/route.ts';
import { refuse } from '../ending.ts';
import type { Preferred, Received, Selected, Targeted } from '../exchange.ts';
import { comparisonOf } from '../request/filters.ts';
import { defaultPage, readPage } from '../request/page-query.ts';
import { step } from '../step.ts';

const PAGE_PARAMETERS = ['limit', 'offset', 'sort', 'order', 'after'];
/** Parameters that a client can repeat. */
const REPEATED = ['fields', 'sort'];

/**
 * Reads the query: the page and the selected properties. Unknown parameters have no effect. They get 400 if the client
 * wants strict handling, and where an ignored filter would cause harm: `DELETE /customers?name=x` must not remove all
 * customers. The response reports all faults at once.
 *
 * Source: Specification 4.21, 4.22.
 */
export const query = step<Received & Targeted & Preferred, Selected>()('query', [400], (exchange) => {
  const { request, resource, endpoint, route } = exchange;
  const strict = exchange.preferences.get('handling') === 'strict';
  const applied = strict ? [...exchange.applied, 'handling=strict'] : exchange.applied;
  const refusesUnknown =
    strict || request.method === 'DELETE' || (request.method === 'PUT' && isCollection(route));
  const isList = endpoint.shape === 'list';
  const first = isList ? counted(exchange, defaultPage(resource)) : defaultPage(resource);
  if (request.query.size === 0) return { page: first, fields: undefined, pendingRefusal: undefined, applied };
  const faults: Fault[] = [];
  const known = new Set(endpoint.parameters);
  if (route.part !== undefined) known.add('fields');
  if (isList) {
    for (const name of PAGE_PARAMETERS) known.add(name);
  }
  if (isList || endpoint.shape === 'item') known.add('fields');
  for (const [name, values] of request.query) {
    if (isSafe(request.method) && isList && comparisonOf(resource, name)) continue;
    if (!known.has(name)) {
      if (refusesUnknown) faults.push({ parameter: name, detail: 'is not a parameter of this request' });
    } else if (values.length > 1 && !REPEATED.includes(name))
      faults.push({ parameter: name, detail: 'must be given once' });
  }
  const page = isList && faults.length === 0 ? counted(exchange, readPage(resource, request, faults)) : first;
  const selects = faults.length === 0 && !route.part && known.has('fields');
  const fields = selects ? readFields(resource, request, faults) : undefined;
  if (faults.length === 0) return { page, fields, pendingRefusal: undefined, applied };
  const ending = refuse('validation-error', 'The query is not valid', { errors: faults });
  if (!endpoint.parent) return ending;
  // A missing parent has precedence: look-up reads the parent and then sends one of the two refusals.
  return { page, fields, pendingRefusal: { ending, parent: endpoint.parent }, applied };
});

/** `count=exact` adds the number of items. Without it, the service does not count. */
const counted = ({ preferences }: Preferred, page: PageQuery): PageQuery =>
  preferences.get('count') === 'exact' ? { ...page, count: true } : page;

/**
 * The properties that `fields` names; undefined: all. In an open resource, any property may exist.
 *
 * Source: Specification 4.18, 4.19.
 */
function readFields(
  { description }: Resource,
  request: Request,
  faults: Fault[],
): ReadonlySet<string> | undefined {
  const sent = (request.query.get('fields') ?? []).filter((value) => value !== '');
  if (sent.length === 0 || !description) return undefined;
  const { fields, identifier, open } = description;
  const declared = [identifier.name, ...Object.keys(fields), 'createdAt', 'updatedAt', 'links'];
  const names = sent.flatMap((value) => value.split(','));
  for (const name of names) {
    if (declared.includes(name) || (open && OPEN_NAME.test(name))) continue;
    faults.push({
      parameter: 'fields',
      detail: `'${name.slice(0, 64)}' is not a field: use ${declared.join(', ')}`,
    });
  }
  return new Set(names);
}
