import { pairsOf, withQuery } from '../../shared/http/paths.ts';
import { type Problem, problem } from '../../shared/http/problem.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { isForPerson, signInHref } from '../../shared/http/sign-in.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import type { Route } from '../../shared/resource/route.ts';
import { leadTo } from './responses.ts';

/** True if a person without a valid token can sign in for the request. */
const isVisitor = ({ principal, isClosed, signInClient, headers }: Request): boolean =>
  !principal && isClosed === true && signInClient !== undefined && isForPerson(headers);

/**
 * Leads a browser that has no valid token to the sign-in, if the path is not open. The step `authorize` refuses all
 * other unknown callers.
 *
 * Source: Specification 11.8.
 */
export function leadToSignIn(resource: Resource, request: Request): Response | undefined {
  const { method, template, basePath, path: sent, query } = request;
  if (!isVisitor(request) || (method !== 'GET' && method !== 'HEAD')) return undefined;
  if (resource.routes.some(({ path, access }) => path === template && access === 'open')) return undefined;
  return leadTo(signInHref(basePath, withQuery(sent, pairsOf(query))), 'Accept, Authorization, Cookie');
}

/**
 * Returns the refusal of a caller without a valid token, for a person: the sign-in has ended. Source: Specification 11.12.
 */
export function endedSignIn(
  refused: Problem,
  request: Request,
  resource: Resource,
  route: Route | undefined,
): Problem {
  if (refused.name !== 'unauthenticated' || !route || !isVisitor(request)) return refused;
  const href = signInHref(request.basePath, pageOf(request, resource, route));
  return problem('unauthenticated', 'Your sign-in has ended, so the service has stored nothing', {
    headers: refused.headers,
    members: { links: [{ rel: 'sign-in', href, method: 'GET', title: 'Sign in again' }] },
  });
}

/** Returns the path of the page that has the form: the path of the request, or the one above it. Otherwise the home page. */
function pageOf({ path }: Request, { routes }: Resource, route: Route): string {
  if (route.endpoints.GET) return path;
  const above = route.path.slice(0, route.path.lastIndexOf('/'));
  const isPage = routes.some((one) => one.path === above && one.endpoints.GET);
  return isPage ? path.slice(0, path.lastIndexOf('/')) : '/';
}
