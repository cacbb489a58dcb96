import { isSafe } from '../../http/method.ts';
import { MAXIMUM_BYTES } from '../request/limits.ts';
import { step } from '../step.ts';

/**
 * Sends readers of more bytes than an answer can carry to where the bytes are: the whole, or the ranges asked for, which
 * are never cut. What is there was found and its conditions were evaluated; the address is for now and for this method.
 *
 * Source: RFC 9110 §15.4.8.
 */
export const redirect = step('redirect', [307], async ({ request, state, ranges }) => {
  if (!isSafe(request.method) || state?.kind !== 'bytes') return undefined;
  const { bytes } = state;
  const answered = ranges?.reduce((sum, { first, last }) => sum + last - first + 1, 0) ?? bytes.size;
  if (answered <= MAXIMUM_BYTES || !bytes.address) return undefined;
  const Location = await bytes.address(request.method === 'HEAD' ? 'HEAD' : 'GET');
  // Neither the address nor the question, with its range, is one that may be answered from a cache.
  return { status: 307, headers: { Location, 'Cache-Control': 'no-store' } };
});
