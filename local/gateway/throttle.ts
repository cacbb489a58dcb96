import type { Route } from '../../infra/gateway/routing.ts';
import { hasOpenLimit, type Limit, type Throttling } from '../../infra/gateway/throttling.ts';

/** A request as the limits see it. */
interface Throttled {
  readonly method: string;
  readonly route: Pick<Route, 'template' | 'isOpen'>;
  /** The API key from the authorizer; undefined: an open path, or no authorizer. */
  readonly usageKey: string | undefined;
}

/**
 * Returns the throttling of a stage. The returned function takes a token for each request, and returns false if the
 * limit of the caller or of the method has none.
 *
 * Source: API Gateway Developer Guide, "Throttle requests to your REST APIs for better throughput".
 */
export function throttle({ method, open, caller }: Throttling, now: () => number = Date.now) {
  const buckets = new Map<string, () => boolean>();

  function take(name: string, limit: Limit): boolean {
    const bucket = buckets.get(name) ?? tokenBucket(limit, now);
    buckets.set(name, bucket);
    return bucket();
  }

  return ({ method: name, route, usageKey }: Throttled): boolean =>
    (caller === undefined || usageKey === undefined || take(usageKey, caller)) &&
    take(`${name} ${route.template}`, hasOpenLimit(route, name) ? open : method);
}

/**
 * Returns a function that takes a token and returns true, or returns false if the bucket is empty. `now`: ms since the
 * epoch.
 */
function tokenBucket({ rate, burst }: Limit, now: () => number): () => boolean {
  let tokens = burst;
  let filled = now();
  return () => {
    const time = now();
    tokens = Math.min(burst, tokens + ((time - filled) / 1000) * rate);
    filled = time;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
