import type { Answerable, Understood } from '../../shared/flow/exchange.ts';
import { withQuery } from '../../shared/http/paths.ts';
import type { Response } from '../../shared/http/response.ts';
import { type FormFields, isFormType } from '../../shared/representations/forms/inputs.ts';
import { itemHref } from '../../shared/representations/item.ts';
import type { Outcome } from '../../shared/resource/actions/outcome.ts';
import { newestList } from '../../shared/resource/list-template.ts';
import { acceptsForms, restores } from '../../shared/resource/route.ts';
import { AGAIN_INPUT, EFFECT_PARAMETER, MADE_PARAMETER, rowValue } from '../page-inputs.ts';
import { leadTo } from './responses.ts';

/**
 * Redirects a browser from a form to the result, so that a reload does not send the form again (post/redirect/get).
 * API clients that send forms get the same response as with any other content.
 *
 * Source: RFC 9110 §15.4.4; Specification 6.5, 6.6.
 */
export function afterForm(exchange: Answerable, fields?: FormFields): Response | undefined {
  const { request, resource, endpoint, outcome, state, parameters } = exchange;
  if (request.method !== 'POST') return undefined;
  const takesForm = acceptsForms(resource, endpoint) || endpoint.content === 'files';
  if (!endpoint.form && !(takesForm && isFormType(request.headers['content-type']))) return undefined;
  // The page of results shows which items failed.
  if (outcome.kind === 'several' && outcome.results.some(({ kind }) => kind === 'refused')) return undefined;
  const isShown = outcome.kind === 'created' || outcome.kind === 'replaced';
  if (isShown && outcome.state.kind === 'item' && outcome.state.notice !== undefined) return undefined;
  let path = newestList(resource);
  // At the path of a file are its bytes.
  const isFile = 'etag' in outcome && outcome.etag !== undefined;
  if (outcome.kind === 'accepted' || ((outcome.kind === 'created' || outcome.kind === 'replaced') && !isFile))
    path = outcome.location;
  else if (outcome.kind === 'done') path = outcome.location ?? path;
  else if (outcome.kind === 'found' && outcome.state.kind === 'item')
    path = itemHref(resource, outcome.state.item.id);
  const effect = effectOf(exchange, outcome);
  const query = new URLSearchParams(effect ? { [EFFECT_PARAMETER]: effect } : {});
  if (fields?.has(AGAIN_INPUT) && outcome.kind === 'created' && outcome.state.kind === 'item') {
    // The next item belongs to the same other items, such as the customer of an order.
    const { id, values } = outcome.state.item;
    for (const field of resource.table?.partitions ?? [])
      if (values[field] !== undefined) query.set(field, String(values[field]));
    query.set(MADE_PARAMETER, String(id));
    path = request.path;
  }
  if (outcome.kind === 'several') query.set(MADE_PARAMETER, String(outcome.results.length));
  // The version that the form showed is the last one of the item.
  if (restores(resource) && endpoint.form === 'delete' && state?.kind === 'item')
    query.set(MADE_PARAMETER, rowValue(Number(parameters.id), state.item.version));
  const [own = '', sort] = path.split('?');
  const search = withQuery('', [...new URLSearchParams(sort), ...query]).replaceAll('%3A', ':');
  return leadTo(request.basePath + own + search, 'Accept, Prefer');
}

/**
 * Returns the effect that the next page reports. It is empty for an accepted request: the page of the operation shows its
 * status.
 */
function effectOf({ resource, endpoint }: Understood, { kind }: Outcome): string {
  if (kind === 'accepted') return '';
  if (endpoint.id === 'restore') return 'restored';
  if (endpoint.form === 'transition' || endpoint.form === 'action') return endpoint.id;
  if (endpoint.form === 'delete') return resource.tracked ? 'canceled' : 'deleted';
  if (kind === 'several') return 'stored';
  return endpoint.creates ? 'created' : 'saved';
}
