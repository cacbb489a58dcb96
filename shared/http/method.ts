const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'] as const;

/** The methods of RFC 9110 and PATCH. Source: RFC 9110 §9.3, RFC 5789 §2. */
export type Method = (typeof METHODS)[number];

const known: ReadonlySet<string> = new Set(METHODS);

/**
 * True if a method is safe, which means that the client requests no change of state. An unknown method is not safe.
 * Source: RFC 9110 §9.2.1.
 */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS' || method === 'TRACE';
}

/**
 * True if the service knows a method; an unknown method gets 501. Method names are case-sensitive, so `get` is
 * unknown. Source: RFC 9110 §9.1.
 */
export function isKnownMethod(text: string): text is Method {
  return known.has(text);
}
