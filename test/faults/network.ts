import { type Engines, inProcess } from 'embedded-aws';
import type { FaultyTransport } from './harness.ts';

type Handle = ReturnType<typeof inProcess>['handle'];
type Request = Parameters<Handle>[0];
type Answer = Awaited<ReturnType<Handle>>;

/** The faults of an engine call. */
export type Fault =
  /** The engine fails before it has any effect. */
  | 'error'
  /** The call has its effect, and the response is lost. */
  | 'lost'
  /** The client stops waiting. The call has its effect after that. */
  | 'late'
  /** The engine throttles the call. */
  | 'throttled'
  /** A transaction on the same item is running. */
  | 'conflict';

/**
 * The extent of a fault: one attempt, so that the client's next attempt succeeds; all attempts of the call; or
 * every call from this one on.
 */
export type Extent = 'attempt' | 'call' | 'outage';

export interface Plan {
  readonly fault: Fault;
  readonly extent: Extent;
  /** The number of the call, from 1. */
  readonly nth: number;
}

/** Milliseconds after which a call arrives whose client no longer waits. */
const LATE = 30;

const isDynamoDb = ({ headers }: Request) => headers['x-amz-target']?.startsWith('DynamoDB') === true;
const isS3 = ({ headers }: Request) => headers['x-amz-target'] === undefined;
const isRead = (request: Request) =>
  isS3(request)
    ? request.method === 'GET' || request.method === 'HEAD'
    : /\.(?:GetItem|BatchGetItem|TransactGetItems|Query)$/.test(request.headers['x-amz-target'] ?? '');
const isTransaction = ({ headers }: Request) =>
  headers['x-amz-target']?.endsWith('.TransactWriteItems') === true;
const isWrite = ({ headers }: Request) => /\.(?:Put|Update|Delete)Item$/.test(headers['x-amz-target'] ?? '');

/** A transport between the service's clients and the engines that applies a network fault to one of the calls. */
export class Network {
  readonly #ordinals = new Map<string, number>();
  #requests: Request[] = [];
  readonly #underWay = new Set<Promise<unknown>>();
  #plan: Plan | undefined;
  #wasHit = false;

  /** Restarts the count of calls and applies the plan to one of them. Without a plan it only counts. */
  arm(plan?: Plan): void {
    this.#ordinals.clear();
    this.#requests = [];
    this.#plan = plan;
    this.#wasHit = false;
  }

  /** Passes all calls on. When all have arrived, returns their number, the first request of each, and if one had a fault. */
  async disarm(): Promise<{
    readonly calls: number;
    readonly requests: readonly Request[];
    readonly wasHit: boolean;
  }> {
    this.#plan = undefined;
    await Promise.allSettled(this.#underWay);
    return { calls: this.#ordinals.size, requests: this.#requests, wasHit: this.#wasHit };
  }

  /** The transport to engines in this process. */
  readonly to = (engines: Engines): FaultyTransport => {
    const whole = inProcess(engines);
    const handle: Handle = (...call) => this.#between(call, whole.handle);
    return {
      settings: {
        requestHandler: { ...whole, handle },
        retryStrategy: IMPATIENT,
        pause: async () => undefined,
      },
      clear: () => this.disarm(),
      close: async () => {},
    };
  };

  readonly #between = async (call: Parameters<Handle>, pass: Handle): Promise<Answer> => {
    const [request] = call;
    const id = request.headers['amz-sdk-invocation-id'] ?? '';
    const before = this.#ordinals.get(id);
    const ordinal = before ?? this.#ordinals.size + 1;
    this.#ordinals.set(id, ordinal);
    if (before === undefined) this.#requests.push(request);
    const plan = this.#plan;
    if (!plan || !isHit(plan, ordinal, before !== undefined) || !fits(plan.fault, request))
      return pass(...call);
    this.#wasHit = true;
    if (plan.fault === 'lost') await pass(...call);
    if (plan.fault === 'late') {
      const arriving = new Promise((later) => setTimeout(later, LATE)).then(() => pass(request));
      this.#underWay.add(arriving);
      void arriving.finally(() => this.#underWay.delete(arriving));
    }
    return broken(plan.fault, request);
  };
}

const isHit = ({ extent, nth }: Plan, ordinal: number, isRepeat: boolean): boolean =>
  extent === 'outage' ? ordinal >= nth : ordinal === nth && (extent === 'call' || !isRepeat);

const fits = (fault: Fault, request: Request): boolean =>
  fault !== 'conflict' || isTransaction(request) || isWrite(request);

/**
 * False if another fault of this call has the same effects: a conflict, which fits writes only; a read that arrives late,
 * which is as good as lost; and S3, which answers a throttled call as a failed one.
 */
export function isOwnCase(fault: Fault, request: Request): boolean {
  if (fault === 'late') return !isRead(request);
  return fits(fault, request) && !(fault === 'throttled' && isS3(request));
}

/** The client's view of the response. @throws the error of a client without a response */
function broken(fault: Fault, request: Request): Answer {
  if (fault === 'lost') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
  if (fault === 'late') throw Object.assign(new Error('no answer in time'), { name: 'TimeoutError' });
  if (fault === 'conflict' && isTransaction(request)) {
    const { TransactItems } = JSON.parse(Buffer.from(request.body as Uint8Array).toString()) as {
      TransactItems: unknown[];
    };
    const reasons = TransactItems.map((_, at) => ({ Code: at === 0 ? 'TransactionConflict' : 'None' }));
    return refusal(400, 'TransactionCanceledException', { CancellationReasons: reasons });
  }
  if (fault === 'conflict') return refusal(400, 'TransactionConflictException');
  if (isS3(request)) return unavailable();
  if (fault === 'error') return refusal(500, 'InternalServerError');
  return refusal(400, isDynamoDb(request) ? 'ProvisionedThroughputExceededException' : 'ThrottlingException');
}

function refusal(statusCode: number, code: string, more: object = {}): Answer {
  const body = Buffer.from(JSON.stringify({ __type: `com.amazonaws#${code}`, message: 'Injected', ...more }));
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': String(body.length) };
  return { response: { statusCode, headers, body } };
}

function unavailable(): Answer {
  const body = Buffer.from('<Error><Code>SlowDown</Code><Message>Injected</Message></Error>');
  const headers = { 'content-type': 'application/xml', 'content-length': String(body.length) };
  return { response: { statusCode: 503, headers, body } };
}

/** The attempts of a client without pauses and without a limit. */
const IMPATIENT = {
  mode: 'standard',
  acquireInitialRetryToken: async () => tokenOf(0),
  refreshRetryTokenForRetry: async (
    token: ReturnType<typeof tokenOf>,
    { errorType }: { errorType: string },
  ) => {
    if (token.getRetryCount() >= 2 || !['THROTTLING', 'TRANSIENT'].includes(errorType))
      throw new Error('No more attempts');
    return tokenOf(token.getRetryCount() + 1);
  },
  recordSuccess: () => {},
};

function tokenOf(count: number) {
  return { getRetryCount: () => count, getRetryDelay: () => 0, getRetryCost: () => 0 };
}
