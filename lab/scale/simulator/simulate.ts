import { members } from '../../../functions/members.ts';
import { throttlingOf } from '../../../infra/gateway/throttling.ts';
import { ASSUMED } from '../../../tools/cost/assumptions.ts';
import { eventOf, type SentRequest } from '../../events.ts';
import { type Handler, handlerOf } from '../../handler.ts';
import { type CallingEnvironment, running, type Tables } from './database.ts';
import { Gateway } from './model/gateway.ts';
import { type Environment, Lambda } from './model/lambda.ts';
import { Refusals, type Refused } from './model/refusals.ts';
import { Requests } from './requests.ts';
import { type Service, withService } from './service.ts';

/** What an operator sets: options of this project, and quotas of AWS. */
export interface Deployment {
  readonly rateLimit: number;
  readonly burstLimit: number;
  readonly callerRateLimit: number;
  readonly shards: number;
  /** Requests a second to all APIs of the account, and at once. */
  readonly gateway: { readonly rate: number; readonly burst: number };
  /** Concurrent executions of the account. */
  readonly concurrency: number;
  readonly tables: Omit<Tables, 'splitMs'>;
}

/** A load on a deployment. */
export interface Load {
  readonly deployment: Deployment;
  /** Requests a second after the ramp. */
  readonly rate: number;
  readonly rampSeconds: number;
  readonly seconds: number;
  /** The requests that one simulated request represents. */
  readonly weight: number;
  readonly splitSeconds: number;
  /** The share of lists in the reads; undefined: that of lab/cost. */
  readonly lists?: number;
  readonly seed: number;
}

/** The answers of some seconds. */
export interface Bin {
  /** Requests a second by status, `ok` for all below 400. */
  readonly answers: Readonly<Record<string, number>>;
  /** Ms of the answers below 400, from the request to the gateway. */
  readonly p50: number;
  readonly p99: number;
}

export interface Outcome {
  readonly bins: readonly Bin[];
  /** The parts that refused requests or calls after the ramp, in the order of their first refusal. */
  readonly refusals: Readonly<Record<string, Refused>>;
  /** The most environments that were busy. */
  readonly busy: number;
  /** The share of the first attempts after the ramp with an answer below 400. */
  readonly first: number;
}

/** Seconds of a bin. */
export const BIN = 5;
/** How often a client repeats a refused request, and the most seconds that it adds to Retry-After. */
const REPEATS = 2;
const SPREAD = 1;
const AUTHORIZER = 'authorizer';

interface Answer {
  readonly status: number;
  /** Seconds; undefined: the answer has no Retry-After. */
  readonly retryAfter?: number;
  readonly body?: string;
}

type Send = (sent: SentRequest) => ReturnType<Handler>;

/** Runs the handlers of the service under a load. The same load has the same outcome. */
export function simulate(load: Load): Promise<Outcome> {
  const { deployment, splitSeconds, rampSeconds, seconds, seed } = load;
  const refusals = new Refusals(rampSeconds * 1000, seconds * 1000);
  const tables = { ...deployment.tables, splitMs: splitSeconds * 1000 };
  const handler = handlerOf(members);
  const send = (sent: SentRequest) => handler(eventOf(sent));
  return withService(
    { tables, shards: deployment.shards, refusals, seed },
    async ({ clock }) => {
      const requests = new Requests(clock.random);
      for (let count = 0; count < 50; count += 1) await send(requests.next());
    },
    (service) => new Simulation(load, service, refusals, send).run(),
  );
}

class Simulation {
  readonly #load: Load;
  readonly #service: Service;
  readonly #send: Send;
  readonly #requests: Requests;
  readonly #gateway: Gateway;
  readonly #lambda: Lambda;
  readonly #retries = new Map<Environment, CallingEnvironment['retries']>();
  readonly #answers: { readonly at: number; readonly status: string; readonly ms: number }[] = [];
  readonly #refusals: Refusals;
  readonly #first = { all: 0, ok: 0 };
  #busy = 0;

  constructor(load: Load, service: Service, refusals: Refusals, send: Send) {
    this.#load = load;
    this.#service = service;
    this.#refusals = refusals;
    this.#send = send;
    const { deployment } = load;
    this.#requests = new Requests(service.clock.random, load.lists);
    const options = { ...deployment, openRateLimit: deployment.rateLimit, auth: 'token' } as const;
    this.#gateway = new Gateway(throttlingOf(options), deployment.gateway);
    this.#lambda = new Lambda(deployment.concurrency);
  }

  async run(): Promise<Outcome> {
    this.#arrive();
    await this.#service.clock.run();
    const bins = Array.from({ length: Math.floor(this.#load.seconds / BIN) }, (_, at) => this.#bin(at));
    return {
      bins,
      refusals: this.#refusals.all(),
      busy: this.#busy,
      first: this.#first.ok / this.#first.all,
    };
  }

  /** Sends a request, and the next ones at even distances that vary by half. */
  #arrive(): void {
    const { clock } = this.#service;
    const { rate, rampSeconds, seconds, weight } = this.#load;
    const at = clock.now / 1000;
    if (at >= seconds) return;
    const present = Math.max(weight, rate * Math.min(1, at / rampSeconds));
    void this.#ask(this.#requests.next(), clock.random());
    clock.after((1000 * weight * (0.5 + clock.random())) / present, () => this.#arrive());
  }

  /** A client that obeys Retry-After. `caller`: from 0 to 1. */
  async #ask(sent: SentRequest, caller: number): Promise<void> {
    const { clock } = this.#service;
    for (let attempt = 0; attempt <= REPEATS; attempt += 1) {
      const began = clock.now;
      const { status, retryAfter, body } = await this.#answer(sent, caller);
      this.#answers.push({
        at: clock.now,
        status: status < 400 ? 'ok' : String(status),
        ms: clock.now - began,
      });
      if (attempt === 0 && this.#isCounted()) {
        this.#first.all += 1;
        if (status < 400) this.#first.ok += 1;
      }
      if (status === 201 && body !== undefined) this.#requests.note(JSON.parse(body).id);
      if (retryAfter === undefined) return;
      await clock.sleep(1000 * (retryAfter + SPREAD * clock.random()));
    }
  }

  async #answer(sent: SentRequest, caller: number): Promise<Answer> {
    const { clock } = this.#service;
    const method = `${sent.method ?? 'GET'} ${sent.template}`;
    const by = this.#gateway.refusal(method, caller, this.#load.weight, clock.now);
    if (by) return this.#refuse(`API Gateway: ${by}`, { status: 429, retryAfter: 1 });
    const judged = await this.#held(AUTHORIZER, async () => ({ status: 200 }));
    if (judged === undefined) return { status: 503, retryAfter: 1 };
    const answer = await this.#held(members.name, async () => {
      const { statusCode: status, headers, body } = await this.#send(sent);
      const after = headers['Retry-After'];
      return { status, body, ...(after === undefined ? {} : { retryAfter: Number(after) }) };
    });
    // Source: Lambda Developer Guide, "Handling Lambda errors with an API Gateway API".
    return answer ?? { status: 500 };
  }

  /** Does some work in an environment of a function; undefined: Lambda refuses. */
  async #held(name: string, work: () => Promise<Answer>): Promise<Answer | undefined> {
    const { clock, retries } = this.#service;
    const { weight } = this.#load;
    const invocation = this.#lambda.invoke(name, weight, clock.now);
    if (invocation.kind === 'refused') return this.#refuse(`Lambda: ${invocation.by}`, undefined);
    const { environment, isCold } = invocation;
    this.#busy = Math.max(this.#busy, this.#lambda.busy);
    const budget = this.#retries.get(environment) ?? (await retries());
    this.#retries.set(environment, budget);
    await clock.sleep(ASSUMED.ownMs + (isCold ? ASSUMED.startMs : 0));
    const answer = await running.run({ weight, retries: budget }, work);
    this.#lambda.release(name, environment);
    return answer;
  }

  #isCounted(): boolean {
    const { rampSeconds, seconds } = this.#load;
    const at = this.#service.clock.now / 1000;
    return at >= rampSeconds && at < seconds;
  }

  #refuse<Value>(what: string, answer: Value): Value {
    this.#refusals.note(what, this.#load.weight, this.#service.clock.now);
    return answer;
  }

  #bin(number: number): Bin {
    const { weight } = this.#load;
    const there = this.#answers.filter(({ at }) => Math.floor(at / 1000 / BIN) === number);
    const counts = Map.groupBy(there, ({ status }) => status);
    const ms = (counts.get('ok') ?? []).map((one) => one.ms).sort((a, b) => a - b);
    const quantile = (share: number) => Math.round(ms[Math.floor(share * ms.length)] ?? 0);
    const answers = [...counts].map(
      ([status, all]) => [status, Math.round((all.length * weight) / BIN)] as const,
    );
    return { answers: Object.fromEntries(answers.sort()), p50: quantile(0.5), p99: quantile(0.99) };
  }
}
