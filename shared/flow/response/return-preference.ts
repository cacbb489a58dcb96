import type { Response } from '../../http/response.ts';
import type { Preferred } from '../exchange.ts';

/**
 * The response in the form that the client prefers: without content, or with it. The response names the applied
 * preference, and `Vary` names both fields that decide about the content.
 *
 * Source: RFC 7240 §4.2; Specification 2.46.
 */
export async function applyReturnPreference(
  { preferences }: Preferred,
  minimal: Response,
  whole: () => Response | Promise<Response>,
): Promise<Response> {
  const wanted = preferences.get('return');
  const { headers, ...response } = wanted === 'minimal' ? minimal : await whole();
  const applied: Record<string, string> =
    wanted === 'minimal' || wanted === 'representation' ? { 'Preference-Applied': `return=${wanted}` } : {};
  return { ...response, headers: { ...headers, Vary: 'Accept, Prefer', ...applied } };
}
