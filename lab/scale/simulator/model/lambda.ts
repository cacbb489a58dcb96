import { Bucket } from './bucket.ts';

/** New environments of a function in ten seconds. Source: Lambda Developer Guide, "Lambda scaling behavior". */
const GROWTH = { environments: 1000, seconds: 10 } as const;
/** Requests a second for each environment of the quota. Source: Lambda Developer Guide, "Lambda quotas". */
const REQUESTS_EACH = 10;

/** An environment of a function. It represents as many as a simulated request represents requests. */
export interface Environment {
  readonly weight: number;
}

export type Invocation =
  | { readonly kind: 'started'; readonly environment: Environment; readonly isCold: boolean }
  | { readonly kind: 'refused'; readonly by: 'concurrency' | 'growth' | 'requests' };

interface Pool {
  readonly idle: Environment[];
  readonly growth: Bucket;
  readonly requests: Bucket;
}

/** The functions of an account. Each request holds an environment, and all of them share the quota. */
export class Lambda {
  readonly #quota: number;
  readonly #pools = new Map<string, Pool>();
  #busy = 0;

  /** `quota`: concurrent executions of the account. */
  constructor(quota: number) {
    this.#quota = quota;
  }

  /** The environments that are busy. */
  get busy(): number {
    return this.#busy;
  }

  invoke(name: string, weight: number, now: number): Invocation {
    const pool = this.#poolOf(name);
    if (this.#busy + weight > this.#quota) return { kind: 'refused', by: 'concurrency' };
    if (pool.requests.tokens(now) <= 0) return { kind: 'refused', by: 'requests' };
    if (pool.idle.length === 0 && !pool.growth.take(weight, now)) return { kind: 'refused', by: 'growth' };
    pool.requests.charge(weight, now);
    const idle = pool.idle.pop();
    this.#busy += weight;
    return { kind: 'started', environment: idle ?? { weight }, isCold: idle === undefined };
  }

  release(name: string, environment: Environment): void {
    this.#busy -= environment.weight;
    this.#poolOf(name).idle.push(environment);
  }

  #poolOf(name: string): Pool {
    const found = this.#pools.get(name);
    if (found) return found;
    const rate = REQUESTS_EACH * this.#quota;
    const pool: Pool = {
      idle: [],
      growth: new Bucket(GROWTH.environments / GROWTH.seconds, GROWTH.environments),
      requests: new Bucket(rate, rate),
    };
    this.#pools.set(name, pool);
    return pool;
  }
}
