import { logChanges } from '../../../functions/events/log-changes.ts';
import { readChanges } from '../../../functions/events/read-changes.ts';
import { keepSuperseded } from '../../../functions/events/superseded-versions.ts';
import { claimEnded } from '../../../functions/worker/ended-items.ts';
import { memoryOf } from '../../../infra/memory.ts';
import { registry } from '../../../service/registry.ts';
import { sleep } from '../../../shared/concurrency/retry.ts';
import { SAFE_METHODS } from '../../../shared/http/request.ts';
import type { Resource } from '../../../shared/resource/resource.ts';
import type { Changes } from '../../../test/faults/webhooks/changes.ts';
import { type Counted, type Invocation, NOTHING } from '../../../tools/cost/bill.ts';
import { collectLogLines } from './log-lines.ts';
import { type MeteredRequest, runWorker, type Seen, seenWhile, send, settleUploads } from './metered.ts';

/** Counts the billed calls of a request and of the background work after it. */

/** Shards of a list, which the service reads at the same time. */
const SHARDS = 4;
/** S3 requests at the price of PUT. DELETE is free, and all others have the price of GET. Source: Amazon S3 pricing. */
const PRICED_AS_PUT = /^S3 (?:Put|Copy|Create|Upload|Complete|List)/;
const FREE = /^S3 (?:Delete|Abort)/;

/** A kind of request and the counts of one such request. */
export interface Kind {
  readonly name: string;
  readonly status: number;
  readonly counted: Counted;
}

/** A request with the counts of all calls that it caused. */
export interface Made {
  readonly counted: Counted;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The sum of several requests. */
export function together(...all: readonly Counted[]): Counted {
  const { invocations, ...numbers } = NOTHING;
  const sums = { ...numbers };
  for (const name of Object.keys(numbers) as (keyof typeof numbers)[])
    sums[name] = all.reduce((total, one) => total + one[name], 0);
  return { ...sums, invocations: all.flatMap((one) => one.invocations) };
}

/** A request, `count` times. */
export const times = (count: number, one: Counted): Counted =>
  together(...Array.from({ length: count }, () => one));

/** The additional calls of a client. */
export const additional = (more: Partial<Counted>): Counted => ({ ...NOTHING, ...more });

function asked({
  calls,
  read,
  write,
}: Seen): Pick<Counted, 'readUnits' | 'writeUnits' | 'objectWrites' | 'objectReads'> {
  const objects = calls.filter((call) => call.startsWith('S3 ') && !FREE.test(call));
  const objectWrites = objects.filter((call) => PRICED_AS_PUT.test(call)).length;
  return { readUnits: read, writeUnits: write, objectWrites, objectReads: objects.length - objectWrites };
}

function invocationOf(
  { calls, queue }: Seen,
  memoryMb: number,
  logBytes: number,
  sends: boolean,
): Invocation {
  const s3 = calls.filter((call) => call.startsWith('S3 ')).length;
  const queries = calls.filter((call) => call === 'Query').length;
  const dynamodb = calls.length - s3 - queries + Math.ceil(queries / SHARDS);
  return { memoryMb, waits: { dynamodb, s3, ...(sends ? { sqs: queue } : {}) }, logBytes };
}

/** The invocations of a queue's function. `sent`: SQS requests of senders, which this function does not count. */
export async function afterwards(
  work: () => Promise<Seen>,
  { memoryMb, sent, fair }: { memoryMb: number; sent: number; fair: boolean },
): Promise<Counted> {
  const { result: seen, lines } = await collectLogLines(work);
  if (lines.length === 0) return NOTHING;
  const messages = seen.queue + sent * lines.length;
  return {
    ...NOTHING,
    ...asked(seen),
    invocations: lines.map((bytes, at) =>
      // The first invocation has the calls of all, because the counts are not separate.
      invocationOf(at === 0 ? seen : { ...seen, calls: [] }, memoryMb, bytes, false),
    ),
    messages,
    fairMessages: fair ? messages : 0,
  };
}

/** Bytes of coded content are rounded up to a multiple of this, because builds of zlib differ by some bytes. */
const CODED_STEP = 500;

/** Bytes of a response: header fields as in HTTP/1.1, and the body. */
function answerBytes(
  headers: Readonly<Record<string, string>>,
  body: string,
  isBase64Encoded: boolean,
): number {
  const fields = Object.entries(headers).reduce(
    // A response within the second of a change has no Last-Modified, so these 46 bytes would depend on the machine.
    (sum, [name, value]) =>
      name === 'Last-Modified' ? sum : sum + Buffer.byteLength(`${name}: ${value}\r\n`),
    0,
  );
  const bytes = Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8');
  const isCoded = headers['Content-Encoding'] !== undefined;
  return fields + (isCoded ? Math.ceil(bytes / CODED_STEP) * CODED_STEP : bytes);
}

const memoryOfResource = (name: string): number =>
  memoryOf(
    name,
    registry.find((one) => one.name === name),
  );

/** Sends requests and counts their calls, until all their background work is complete. */
export class Counter {
  readonly #changes: Changes;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  /** `keeps`: false: as if no resource had a history. @throws Error for another status than the expected one. */
  async made(status: number, sent: MeteredRequest, keeps = true): Promise<Made> {
    const one = await this.begun(status, sent);
    return { ...one, counted: together(one.counted, await this.finished(keeps)) };
  }

  /** The same without background work. */
  async begun(status: number, sent: MeteredRequest): Promise<Made> {
    const { result, lines } = await collectLogLines(() => send(sent));
    const { statusCode, headers, body, seen } = result;
    if (statusCode !== status) throw new Error(`${statusCode} to ${sent.method} ${sent.template}: ${body}`);
    const { isBase64Encoded } = result as unknown as { isBase64Encoded: boolean };
    const logBytes = lines.reduce((sum, bytes) => sum + bytes, 0);
    const counted: Counted = {
      ...NOTHING,
      ...asked(seen),
      requests: 1,
      invocations: [invocationOf(seen, memoryOfResource(sent.resource), logBytes, true)],
      messages: seen.queue,
      fairMessages: seen.queue,
      audited: SAFE_METHODS.has(sent.method ?? 'GET') ? 0 : 1,
      bytesOut: answerBytes(headers, body, isBase64Encoded),
    };
    return { counted, status, headers, body };
  }

  /** The remaining background work, and the changes since the last call. */
  async finished(keeps = true): Promise<Counted> {
    const work = await afterwards(runWorker, { memoryMb: memoryOf('worker'), sent: 0, fair: true });
    const files = await afterwards(settleUploads, { memoryMb: memoryOf('uploads'), sent: 1, fair: false });
    const { handovers, events, records } = this.#changes.taken();
    const kept = await seenWhile(async () => {
      if (!keeps) return;
      await keepSuperseded(registry, records);
      await logChanges(registry, (await readChanges(registry, records)).changes);
    });
    return together(work, files, { ...NOTHING, ...asked(kept), handovers, events });
  }
}

/** SQS delivers the message about removed items after a second. */
const MESSAGE_MS = 1500;

/** The work after the history of removed items: a claim, and the references to them. Without the messages of each day. */
export async function afterHistory(counter: Counter): Promise<Counted> {
  process.env.LEASE_SECONDS = '0';
  // Without a history, all removed items have ended.
  const ended = registry.map(
    ({ history, ...one }): Resource => (history && !one.isCleared ? { ...one, history } : one),
  );
  const claim = () => seenWhile(() => claimEnded(ended, {}, Number.POSITIVE_INFINITY));
  const claimed = await afterwards(claim, { memoryMb: memoryOf('worker'), sent: 0, fair: true });
  await sleep(MESSAGE_MS);
  delete process.env.LEASE_SECONDS;
  return together(claimed, await counter.finished());
}
