/** Computes the price of a request from its counts. */

import { dollars, GIGABYTE } from '../../infra/cost/prices.ts';
import { memoryOf } from '../../infra/memory.ts';
import {
  ACCESS_LINE,
  type Assumptions,
  AUDIT_LINE,
  type Engine,
  JUDGEMENT_LINE,
  lineBytes,
} from './assumptions.ts';

/** One invocation of a function: its waits for each engine, and the bytes of its log lines. */
export interface Invocation {
  readonly memoryMb: number;
  readonly waits: Readonly<Partial<Record<Engine, number>>>;
  readonly logBytes: number;
}

/** The counts of a request, including all background work after its response. */
export interface Counted {
  /** Requests to API Gateway: more than one if the client sends further requests. */
  readonly requests: number;
  readonly invocations: readonly Invocation[];
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Requests to S3, at the price of PUT and at the price of GET. */
  readonly objectWrites: number;
  readonly objectReads: number;
  /** Requests to SQS, and those of them with a message group. */
  readonly messages: number;
  readonly fairMessages: number;
  /** Invocations of the events function, and the events among its changes. */
  readonly handovers: number;
  readonly events: number;
  /** Requests whose lines go to the audit log. */
  readonly audited: number;
  /** Bytes of responses, including those of S3 after a redirect. */
  readonly bytesOut: number;
}

/** The counts of no request. */
export const NOTHING: Counted = {
  requests: 0,
  invocations: [],
  readUnits: 0,
  writeUnits: 0,
  objectWrites: 0,
  objectReads: 0,
  messages: 0,
  fairMessages: 0,
  handovers: 0,
  events: 0,
  audited: 0,
  bytesOut: 0,
};

/** Parts of a bill, in the order of the tables. */
export const PARTS = [
  'API Gateway',
  'authorizer',
  'Lambda',
  'DynamoDB reads',
  'DynamoDB writes',
  'S3',
  'SQS',
  'events',
  'logs',
  'data out',
  'WAF',
  'X-Ray',
] as const;

export type Part = (typeof PARTS)[number];
/** US dollars by part. */
export type Bill = Readonly<Record<Part, number>>;

/** Billed time. Lambda bills whole milliseconds and includes cold starts. Source: AWS Lambda pricing. */
function billedMs({ waits }: Invocation, { ownMs, callMs, coldShare, startMs }: Assumptions): number {
  const waiting = Object.entries(waits).reduce(
    (sum, [engine, times]) => sum + times * callMs[engine as Engine],
    0,
  );
  return Math.ceil(ownMs + waiting + coldShare * startMs);
}

function computing(invocation: Invocation, assumed: Assumptions): number {
  const gigabyteSeconds = (invocation.memoryMb / 1024) * (billedMs(invocation, assumed) / 1000);
  const seconds = assumed.architecture === 'arm64' ? 'armSeconds' : 'x86Seconds';
  return dollars('invocations', 1) + dollars(seconds, gigabyteSeconds);
}

const logging = (bytes: number): number => dollars('logs', bytes / GIGABYTE);

/** The cost of an invocation with its log. */
const running = (invocation: Invocation, assumed: Assumptions): number =>
  computing(invocation, assumed) + logging(invocation.logBytes);

/** An invocation of the authorizer. It calls no engine, because it caches the issuer's keys. */
const JUDGEMENT: Invocation = {
  memoryMb: memoryOf('authorizer'),
  waits: {},
  logBytes: lineBytes(JUDGEMENT_LINE),
};

/** An invocation of the audit function for one line. */
const AUDITING: Invocation = {
  memoryMb: memoryOf('audit'),
  waits: {},
  logBytes: lineBytes(AUDIT_LINE),
};

/** The largest number of events in one PutEvents call. Source: Amazon EventBridge API Reference, PutEvents. */
const ENTRIES = 10;

/** The cost of changes from the stream to the bus. `line`: logged bytes of an invocation of the events function. */
function telling({ handovers, events }: Counted, assumed: Assumptions, line: number): number {
  if (handovers === 0) return 0;
  const eventbridge = Math.ceil(events / handovers / ENTRIES);
  const invocation = { memoryMb: memoryOf('events'), waits: { eventbridge }, logBytes: line };
  return (handovers / assumed.handedOverAtOnce) * running(invocation, assumed) + dollars('events', events);
}

/**
 * The cost of one such request, in US dollars by part: each count times its price. The authorizer runs for a request
 * unless API Gateway has its result in the cache. Lambda reads streams without charge. For its reads of queues, only
 * the price of SQS applies.
 */
export function billOf(counted: Counted, assumed: Assumptions, eventsLine: number): Bill {
  const { requests, invocations } = counted;
  const sum = (of: (one: Invocation) => number) => invocations.reduce((total, one) => total + of(one), 0);
  const judged = assumed.authorized ? requests * (1 - assumed.knownCallers) : 0;
  const audits = assumed.authorized ? counted.audited * running(AUDITING, assumed) : 0;
  const gatewayBytes = requests * assumed.gatewayBytes;
  return {
    'API Gateway': dollars('gatewayRequests', requests),
    authorizer: judged * running(JUDGEMENT, assumed),
    Lambda: sum((one) => computing(one, assumed)),
    'DynamoDB reads': dollars('readUnits', counted.readUnits),
    'DynamoDB writes': dollars('writeUnits', counted.writeUnits),
    S3: dollars('objectWrites', counted.objectWrites) + dollars('objectReads', counted.objectReads),
    SQS: dollars('messages', counted.messages) + dollars('fairMessages', counted.fairMessages),
    events: telling(counted, assumed, eventsLine),
    logs: logging(sum(({ logBytes }) => logBytes) + requests * lineBytes(ACCESS_LINE)) + audits,
    'data out': dollars('transfer', (counted.bytesOut + gatewayBytes) / GIGABYTE),
    WAF: assumed.firewall ? dollars('firewallRequests', requests) : 0,
    'X-Ray': assumed.tracing ? dollars('traces', requests * assumed.traced) : 0,
  };
}

/** The sum of a bill. */
export const totalOf = (bill: Bill): number => PARTS.reduce((sum, part) => sum + bill[part], 0);
