import type { Response } from '../../http/response.ts';
import type { Preferred } from '../exchange.ts';

/**
 * The response in the form that the client prefers: without content, or with it. The response names the applied
 * preference. Source: RFC 7240 §4.2.
 */
export async function preferred(
  { preferences }: Preferred,
  minimal: Response,
  whole: () => Response | Promise<Response>,
): Promise<Response> {
  const wanted = preferences.get('return');
  const response = wanted === 'minimal' ? minimal : await whole();
  if (wanted !== 'minimal' && wanted !== 'representation') return response;
  return { ...response, headers: { ...response.headers, 'Preference-Applied': `return=${wanted}` } };
}
