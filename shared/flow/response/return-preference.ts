import type { Exchange } from '../exchange.ts';

/** Whether a write shall be answered without a representation. Source: RFC 7240 §4.2. */
export function applyReturnPreference({ preferences, applied }: Exchange): boolean {
  const wanted = preferences.get('return');
  if (wanted !== 'minimal' && wanted !== 'representation') return false;
  applied.push(`return=${wanted}`);
  return wanted === 'minimal';
}
