import { addressOf, isForPerson, signInHref } from '../../../http/sign-in.ts';
import { endWith } from '../../ending.ts';
import type { Received } from '../../exchange.ts';
import { step } from '../../step.ts';

/**
 * Leads a browser that has no valid token to the sign-in, if the path is not open. The step `authorize` refuses all
 * other unknown callers.
 *
 * Source: Specification 11.8.
 */
export const signIn = step<Received>()('signIn', [303], ({ request, resource }) => {
  const { method, template, headers, basePath, principal, isClosed, signInClient } = request;
  if (principal || !isClosed || signInClient === undefined || !isForPerson(headers)) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (resource.routes.some(({ path, access }) => path === template && access === 'open')) return undefined;
  return endWith(303, {
    Location: signInHref(basePath, addressOf(request)),
    'Cache-Control': 'no-store',
    Vary: 'Accept, Authorization, Cookie',
  });
});
