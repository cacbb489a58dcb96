import {
  ACCESS_LINE,
  type Assumptions,
  type Engine,
  INVOCATION_LINES,
  JUDGEMENT_LINE,
  LINE_PREFIX,
  lineBytes,
  MEMORY,
} from './assumptions.ts';
import { dollars, GIGABYTE } from './prices.ts';

/** One invocation of a function: how often it waits for which engine, and the bytes that it writes to its log. */
export interface Invocation {
  readonly memoryMb: number;
  readonly waits: Readonly<Partial<Record<Engine, number>>>;
  readonly logBytes: number;
}

/** A request as it was counted, with everything that goes on after its answer. */
export interface Counted {
  /** Requests to API Gateway: more than one where a client comes back. */
  readonly requests: number;
  readonly invocations: readonly Invocation[];
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Requests to S3: those that are priced as PUT, and those priced as GET. */
  readonly objectWrites: number;
  readonly objectReads: number;
  /** Requests to SQS, and those of them about messages of a group. */
  readonly messages: number;
  readonly fairMessages: number;
  /** How often the events function is handed changes, and how many of these are events. */
  readonly handovers: number;
  readonly events: number;
  /** Bytes of answers, of S3 too where a client was led there. */
  readonly bytesOut: number;
}

/** Parts of a bill, in the order they are shown. */
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

const PLATFORM_BYTES = INVOCATION_LINES.map(lineBytes).reduce((sum, one) => sum + one, 0);

/** Lambda bills whole milliseconds, and the start of a function too. Source: AWS Lambda pricing. */
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

/** An invocation with the log that comes of it. */
const running = (invocation: Invocation, assumed: Assumptions): number =>
  computing(invocation, assumed) + logging(PLATFORM_BYTES + invocation.logBytes);

/** Tokens are judged without asking an engine: keys of the issuer are kept. */
const JUDGEMENT: Invocation = {
  memoryMb: MEMORY.authorizer,
  waits: {},
  logBytes: lineBytes(LINE_PREFIX + JUDGEMENT_LINE),
};

/** Events that one call puts on a bus. Source: Amazon EventBridge API Reference, PutEvents. */
const ENTRIES = 10;

/** The way of changes from the stream to the bus. `line`: bytes that the events function writes for an invocation. */
function telling({ handovers, events }: Counted, assumed: Assumptions, line: number): number {
  if (handovers === 0) return 0;
  const eventbridge = Math.ceil(events / handovers / ENTRIES);
  const invocation = { memoryMb: MEMORY.events, waits: { eventbridge }, logBytes: line };
  return (handovers / assumed.handedOverAtOnce) * running(invocation, assumed) + dollars('events', events);
}

/**
 * What one such request costs, in US dollars by part.
 *
 * Each thing that AWS counts, times its price. Requests that need a token are judged by the authorizer unless the caller is
 * known; Lambda reads streams and asks its own queues at no other price than that of SQS.
 */
export function billOf(counted: Counted, assumed: Assumptions, eventsLine: number): Bill {
  const { requests, invocations } = counted;
  const sum = (of: (one: Invocation) => number) => invocations.reduce((total, one) => total + of(one), 0);
  const judged = assumed.authorized ? requests * (1 - assumed.knownCallers) : 0;
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
    logs: logging(sum(({ logBytes }) => logBytes + PLATFORM_BYTES) + requests * lineBytes(ACCESS_LINE)),
    'data out': dollars('transfer', (counted.bytesOut + gatewayBytes) / GIGABYTE),
    WAF: assumed.firewall ? dollars('firewallRequests', requests) : 0,
    'X-Ray': assumed.tracing ? dollars('traces', requests * assumed.traced) : 0,
  };
}

/** The sum of a bill. */
export const totalOf = (bill: Bill): number => PARTS.reduce((sum, part) => sum + bill[part], 0);
