import { MAXIMUM_BYTES } from '../../../http/maximum-sizes.ts';
import { endWith } from '../../ending.ts';
import type { LookedUp, Ranged, Received, Targeted } from '../../exchange.ts';
import { step } from '../../step.ts';

/**
 * Redirects GET to a presigned URL if the bytes are too many for one response. This applies to the whole and to
 * ranges: the service truncates no range. It redirects HEAD too if the gateway computes Content-Length of the body. The
 * bytes exist and the preconditions hold at this point. The URL is valid for a short time and for one method.
 *
 * Source: RFC 9110 §15.4.8; Specification 5.10, 5.13.
 */
export const redirect = step<Received & Targeted & LookedUp & Ranged>()('redirect', [307], (exchange) => {
  const { request, isSafe, state, ranges } = exchange;
  if (!isSafe || state?.kind !== 'bytes') return undefined;
  if (request.method === 'HEAD' && request.keepsContentLength) return undefined;
  const { bytes } = state;
  const total = ranges?.reduce((sum, { first, last }) => sum + last - first + 1, 0) ?? bytes.size;
  if (total <= MAXIMUM_BYTES || !bytes.address) return undefined;
  const address = bytes.address(request.method === 'HEAD' ? 'HEAD' : 'GET');
  // The URL expires and depends on `Range`, so no cache may store the response.
  return address.then((Location) => endWith(307, { Location, 'Cache-Control': 'no-store' }));
});
