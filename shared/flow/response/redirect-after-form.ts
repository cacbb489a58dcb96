import type { Response } from '../../http/response.ts';
import { itemHref } from '../../representations/item.ts';
import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Understood } from '../exchange.ts';

/**
 * Redirects a browser from a form to the result, so that a reload does not send the form again (post/redirect/get).
 * API clients that send forms get the same response as with any other content.
 *
 * Source: RFC 9110 §15.4.4; Specification 6.5, 6.6.
 */
export function afterForm(
  { request, resource, endpoint, submitted, representation }: Understood,
  outcome: Outcome,
): Response | undefined {
  if (request.method !== 'POST' || !(submitted || endpoint.form)) return undefined;
  if (representation.suffix !== undefined) return undefined;
  // The page of results shows which items failed.
  if (outcome.kind === 'several' && outcome.results.some(({ kind }) => kind === 'refused')) return undefined;
  let path = `/${resource.name}`;
  if (outcome.kind === 'created' || outcome.kind === 'replaced' || outcome.kind === 'accepted')
    path = outcome.location;
  else if (outcome.kind === 'found' && outcome.state.kind === 'item')
    path = itemHref(resource, outcome.state.item.id);
  const Location = request.basePath + path;
  return { status: 303, headers: { Location, 'Cache-Control': 'no-store', Vary: 'Accept, Prefer' } };
}
