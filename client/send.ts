import type { Link } from './items.ts';
import { Problem, type ProblemBody } from './problem.ts';

/** The JSON of a response, as far as the client reads it: an item, a list, an operation or a problem. */
export interface Body extends ProblemBody {
  /** The type of the caller describes them. */
  readonly items?: readonly never[];
  readonly links?: readonly Link[];
  readonly updatedAt?: string;
  readonly status?: unknown;
  readonly result?: unknown;
  readonly error?: ProblemBody;
  readonly total?: number;
  readonly effects?: Plan['effects'];
}

/** What a write would do. `status`: what it would get. `total`: the number of items that it would change. */
export interface Plan {
  readonly status: number;
  readonly total: number;
  /** The first hundred. `before`, `after`: the item; undefined: it does not exist. */
  readonly effects: readonly {
    readonly resource: string;
    readonly id: number | string;
    readonly change: 'created' | 'updated' | 'removed' | 'restored';
    readonly before?: Readonly<Record<string, unknown>>;
    readonly after?: Readonly<Record<string, unknown>>;
  }[];
}

/** Ends work after its first write has been tried out. */
export class Planned {
  readonly plan: Plan;

  constructor({ status, total = 0, effects = [] }: Body) {
    this.plan = { status: Number(status), total, effects };
  }
}

/** The settings of a client. */
export interface Settings {
  /** The access token, or a function that returns one for each request. */
  readonly token?: string | (() => string | Promise<string>);
  /** The function that sends requests: `fetch` without it. */
  readonly fetch?: typeof fetch;
}

interface SentRequest {
  readonly json?: unknown;
  readonly type?: string | undefined;
  /** The entity tag that the item must have. */
  readonly match?: string | undefined;
  /** The key under which the request has one effect. */
  readonly key?: string;
  readonly prefer?: string;
}

/** A response that is a success. */
export interface Received {
  readonly body: Body;
  readonly etag: string | undefined;
  readonly location: string | undefined;
  readonly isRedirected: boolean;
  /** True if the service goes on with the work, at `location`. */
  readonly isAccepted: boolean;
  /** In seconds. */
  readonly retryAfter: number | undefined;
}

/** @throws Problem for a response that is not a success */
export type Send = (method: string, path: string, sent?: SentRequest) => Promise<Received>;

/** The most attempts of a request that may be repeated, and the longest pause between two of them in ms. */
const ATTEMPTS = 4;
const LONGEST_MS = 10_000;

const pause = (ms: number) => new Promise((done) => setTimeout(done, Math.min(ms, LONGEST_MS)));

/**
 * Makes a function that sends requests. It repeats a request after 429, and after 503 and a lost response if the request
 * has one effect. A repeated PUT or DELETE could meet the effect of the first. Source: RFC 9110 §9.2.2, §10.2.3.
 */
export function sender(url: string, { token, fetch: call = fetch }: Settings, isDryRun = false): Send {
  return async (method, path, { json, type, match, key, prefer } = {}) => {
    const bearer = typeof token === 'function' ? await token() : token;
    const headers = new Headers({ Accept: 'application/json' });
    const set = (name: string, value: string | undefined) => value !== undefined && headers.set(name, value);
    set('Authorization', bearer && `Bearer ${bearer}`);
    set('Content-Type', json === undefined ? undefined : (type ?? 'application/json'));
    set('If-Match', match);
    set('Idempotency-Key', key && `"${key}"`);
    // A name that the service does not know is a mistake of the caller.
    const isTried = isDryRun && method !== 'GET';
    const preferences = [
      ...(isTried ? ['dry-run'] : []),
      ...(prefer === undefined ? [] : [prefer]),
      'handling=strict',
    ];
    set('Prefer', preferences.join(', '));
    const body = json === undefined ? null : JSON.stringify(json);
    const isRepeatable = method === 'GET' || key !== undefined;
    for (let attempt = 1; ; attempt++) {
      const response = await call(url + path, { method, headers, body }).catch((error: Error) => error);
      if (response instanceof Error) {
        if (!isRepeatable || attempt === ATTEMPTS) throw new Problem(0, { title: response.message });
        await pause(100 * 2 ** attempt);
        continue;
      }
      const after = response.headers.get('Retry-After') ?? '';
      const retryAfter = /^\d+$/.test(after) ? Number(after) : undefined;
      const isBusy = response.status === 429 || (response.status === 503 && isRepeatable);
      if (isBusy && attempt < ATTEMPTS) {
        await pause(1000 * (retryAfter ?? 1));
        continue;
      }
      const text = await response.text();
      const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '');
      const parsed: Body | undefined = isJson && text !== '' ? JSON.parse(text) : undefined;
      if (!response.ok || (text !== '' && !parsed))
        throw new Problem(
          response.status,
          parsed ?? { title: `The response ${response.status} is not JSON` },
        );
      if (isTried) throw new Planned(parsed ?? {});
      return {
        body: parsed ?? {},
        etag: response.headers.get('ETag') ?? undefined,
        location: response.headers.get('Location') ?? undefined,
        isRedirected: response.redirected,
        isAccepted: response.status === 202,
        retryAfter,
      };
    }
  };
}
