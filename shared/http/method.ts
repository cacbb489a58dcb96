/** The methods of RFC 9110 and PATCH. Source: RFC 9110 §9.3, RFC 5789 §2. */
export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS' | 'TRACE' | 'CONNECT';

const known: ReadonlySet<string> = new Set<Method>([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);

/**
 * Whether a method is safe: it asks for no change of state. An unknown method is not.
 * Source: RFC 9110 §9.2.1.
 */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}

/**
 * Whether a request's method is one this vocabulary knows; any other deserves 501. Method names are
 * case-sensitive, so `get` is unknown. Source: RFC 9110 §9.1.
 */
export function isKnownMethod(text: string): text is Method {
  return known.has(text);
}
