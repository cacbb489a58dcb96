import type { Options } from '../options.ts';
import type { Route } from './routing.ts';

/** A bucket of tokens: a request takes one, and `rate` tokens return each second, up to `burst`. */
export interface Limit {
  readonly rate: number;
  readonly burst: number;
}

/** The throttling of requests by API Gateway. Each kind of limit has many buckets. */
export interface Throttling {
  /** For each method of each path template. */
  readonly method: Limit;
  /** For GET and HEAD of each open path, instead of `method`. */
  readonly open: Limit;
  /** For all requests of a caller; undefined: callers have no names, because they need no token. */
  readonly caller: Limit | undefined;
}

/** Seconds in which the firewall counts the requests of an address. Source: AWS WAF Developer Guide, "Rate-based rule high-level settings". */
export const ADDRESS_SECONDS = 300;

/** Seconds of the window in which a rate counts. */
const WINDOW = 1;

const twice = (rate: number): Limit => ({ rate, burst: 2 * rate });

/**
 * Returns the throttling that the options set. API Gateway checks the limit of the caller first, so a refused caller
 * takes no token of a method from the others.
 *
 * Source: API Gateway Developer Guide, "Throttle requests to your REST APIs for better throughput".
 */
export const throttlingOf = ({
  rateLimit,
  burstLimit,
  openRateLimit,
  callerRateLimit,
  auth,
}: Pick<Options, 'rateLimit' | 'burstLimit' | 'openRateLimit' | 'callerRateLimit' | 'auth'>): Throttling => ({
  method: { rate: rateLimit, burst: burstLimit },
  open: twice(openRateLimit),
  caller: auth === 'none' ? undefined : twice(callerRateLimit),
});

/** The methods of an open path that have the limit for open paths. A function refuses other methods with 405. */
const OPEN_METHODS = ['GET', 'HEAD'];

/** True if the request has the limit for open paths. */
export const hasOpenLimit = ({ isOpen }: Pick<Route, 'isOpen'>, method: string): boolean =>
  isOpen && OPEN_METHODS.includes(method);

/** Returns every method and path template with the limit for open paths, such as `/health/GET`. */
export const openMethods = (routes: readonly Route[]): string[] =>
  routes
    .filter(({ isOpen }) => isOpen)
    .flatMap(({ template }) => OPEN_METHODS.map((method) => `${template}/${method}`));

/**
 * Returns the fields of a 429. API Gateway does not say which limit refused a request, so they state the strictest one:
 * a client that stays below it never exceeds a limit on its own.
 *
 * Source: Specification 10.11; draft-ietf-httpapi-ratelimit-headers §3, §4.
 */
export function rateHeaders({ method, open, caller = method }: Throttling): Readonly<Record<string, string>> {
  const strictest = Math.min(method.rate, open.rate, caller.rate);
  return {
    'RateLimit-Policy': `"strictest";q=${strictest};w=${WINDOW}`,
    RateLimit: `"strictest";r=0;t=${WINDOW}`,
  };
}
