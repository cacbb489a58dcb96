import type { Exchange } from '../exchange.ts';

/**
 * Whether the client prefers a response without content. Adds the `return` preference to the applied ones. Source:
 * RFC 7240 §4.2.
 */
export function applyReturnPreference({ preferences, applied }: Exchange): boolean {
  const wanted = preferences.get('return');
  if (wanted !== 'minimal' && wanted !== 'representation') return false;
  applied.push(`return=${wanted}`);
  return wanted === 'minimal';
}
