import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { parseJson } from '../../shared/json/parse.ts';
import { isObject } from '../../shared/json/value.ts';
import type { FormFields } from '../../shared/representations/forms/inputs.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { PLAN_INPUT } from '../page-inputs.ts';
import { pageResponse } from './responses.ts';

/** Returns the request whose plan a form asks for. Source: Specification 7.18. */
export const asPlan = (request: Request): Request => ({
  ...request,
  headers: { ...request.headers, prefer: 'dry-run' },
});

/**
 * Returns the page between a form and its effects: it shows the plan, and sends the form. A refusal stays as it is.
 *
 * Source: Specification 17.13.
 */
export async function planPage(
  resource: Resource,
  request: Request,
  fields: FormFields,
  response: Response,
): Promise<Response> {
  const isPlan = response.status === 200 && 'Preference-Applied' in response.headers;
  const parsed = isPlan && typeof response.body === 'string' ? parseJson(response.body) : undefined;
  if (!parsed || !('value' in parsed) || !isObject(parsed.value)) return response;
  const sent = new Map([...fields].filter(([name]) => name !== PLAN_INPUT));
  return pageResponse(
    200,
    {
      kind: 'document',
      name: 'plan',
      members: parsed.value,
      planned: { action: request.path, fields: sent },
    },
    { request, resource },
  );
}
