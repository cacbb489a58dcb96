import { negotiate } from '../../shared/http/fields/accept.ts';
import { type Request, SAFE_METHODS } from '../../shared/http/request.ts';
import { isFormType } from '../../shared/representations/forms/inputs.ts';
import { html } from '../../shared/representations/html.ts';
import { json } from '../../shared/representations/json.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { COUNT_PARAMETER } from '../page-inputs.ts';

/** The preference for the number of items of a list. A browser cannot send it. */
export const COUNT = 'count=exact';

/** Returns the request as an API client would send it. Source: Specification 4.23, 6.5. */
export function ordinaryRequest(resource: Resource, request: Request): Request {
  if (isListPage(resource, request)) return counted(request);
  if (!isForPage(request) || SAFE_METHODS.has(request.method)) return request;
  return isFormType(request.headers['content-type']) ? synchronous(request) : request;
}

/** True if the client prefers pages to JSON. */
export const isForPage = ({ headers }: Request): boolean => negotiate(headers.accept, [json, html]) === html;

/** True if GET at the path of the request reads a list. */
export const isList = ({ routes }: Resource, { template }: Request): boolean =>
  routes.some((one) => one.path === template && one.endpoints.GET?.shape === 'list');

/** True if a browser reads the page of a list. */
export const isListPage = (resource: Resource, request: Request): boolean =>
  isForPage(request) && SAFE_METHODS.has(request.method) && isList(resource, request);

/** Removes the wish for an operation: a browser gets a redirect to the result of its form. */
function synchronous(request: Request): Request {
  const { prefer } = request.headers;
  if (prefer === undefined) return request;
  const others = prefer.split(',').filter((one) => !/^\s*respond-async\b/i.test(one));
  return { ...request, headers: { ...request.headers, prefer: others.join(',') } };
}

/** Adds the wish for the number of items, which a link of a page has as a query parameter. */
function counted(request: Request): Request {
  if (!asksForCount(request)) return request;
  const { prefer } = request.headers;
  return {
    ...request,
    headers: { ...request.headers, prefer: prefer === undefined ? COUNT : `${prefer}, ${COUNT}` },
  };
}

/** True if a page asks for the number of items of its list. */
export const asksForCount = ({ query }: Request): boolean => query.has(COUNT_PARAMETER);
