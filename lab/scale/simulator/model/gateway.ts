import { USAGE_KEYS } from '../../../../functions/authorizer/usage-key.ts';
import type { Limit, Throttling } from '../../../../infra/gateway/throttling.ts';
import { Bucket } from './bucket.ts';

/** API Gateway's buckets, in the order in which it checks them. */
export class Gateway {
  readonly #caller: readonly Bucket[];
  readonly #method: Limit;
  readonly #methods = new Map<string, Bucket>();
  readonly #account: Bucket;

  constructor({ caller, method }: Pick<Throttling, 'caller' | 'method'>, account: Limit) {
    this.#caller = caller
      ? Array.from({ length: USAGE_KEYS }, () => new Bucket(caller.rate, caller.burst))
      : [];
    this.#method = method;
    this.#account = new Bucket(account.rate, account.burst);
  }

  /** The limit that refuses a request; undefined: none. `method`: such as `GET /members/{id}`. `caller`: from 0 to 1. */
  refusal(
    method: string,
    caller: number,
    weight: number,
    now: number,
  ): 'caller' | 'method' | 'account' | undefined {
    const key = this.#caller[Math.floor(caller * USAGE_KEYS)];
    if (key && !key.take(weight, now)) return 'caller';
    const bucket = this.#methods.get(method) ?? new Bucket(this.#method.rate, this.#method.burst);
    this.#methods.set(method, bucket);
    if (!bucket.take(weight, now)) return 'method';
    return this.#account.take(weight, now) ? undefined : 'account';
  }
}
