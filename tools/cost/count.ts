/** Counts what requests to a service in this process use, by the log lines of its functions. */

import { memoryOf } from '../../infra/memory.ts';
import type { TestService } from '../../local/testing.ts';
import { registry } from '../../service/registry.ts';
import { configureLog } from '../../shared/aws/log.ts';
import type { Answer } from '../smoke/client.ts';
import { lineBytes } from './assumptions.ts';
import { type Counted, type Invocation, NOTHING } from './bill.ts';

/** The line of an invocation. Source: shared/lambda/logs/observe.ts. */
interface Line {
  readonly resource: string;
  readonly readUnits?: number;
  readonly writeUnits?: number;
  /** The same with metrics: a metric of zero is left out. */
  readonly ReadUnits?: number;
  readonly WriteUnits?: number;
  readonly calls: Readonly<Partial<Record<'dynamodb' | 's3' | 'sqs', number>>>;
}

/** Functions that Lambda calls with messages of a queue: it receives and deletes each message. */
const QUEUED: ReadonlySet<string> = new Set(['worker', 'uploads', 'fanout', 'webhooks']);
/** The function that runs each minute. It has its own price by the month. */
const SWEEPER = 'sweeper';
/** The function that publishes changes. The bill has its own part for it. */
const EVENTS = 'events';

/** A response, with everything that its request used until no work was left. */
export interface Made {
  readonly answer: Answer;
  readonly counted: Counted;
  /** Billed bytes that the events function logs for an invocation. */
  readonly eventsLine: number;
}

/** Sends a request, waits for the work after it, and counts both. */
export async function count(service: TestService, send: () => Promise<Answer>): Promise<Made> {
  const texts: string[] = [];
  configureLog((level, text) => {
    if (level === 'info') texts.push(text);
  });
  try {
    const answer = await send();
    await service.settled();
    return { answer, ...countedIn(texts, answer) };
  } finally {
    configureLog(() => {});
  }
}

function countedIn(texts: readonly string[], { headers, bytes }: Answer): Omit<Made, 'answer'> {
  const lines = texts.map((text): Line & { bytes: number } => ({
    ...JSON.parse(text),
    bytes: lineBytes(text),
  }));
  const ran = lines.filter(({ calls, resource }) => calls !== undefined && resource !== SWEEPER);
  const published = ran.filter(({ resource }) => resource === EVENTS);
  const sum = (of: (line: Line) => number | undefined) =>
    ran.reduce((total, line) => total + (of(line) ?? 0), 0);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const messages = sum(({ resource, calls }) => (calls.sqs ?? 0) + (QUEUED.has(resource) ? 2 : 0));
  return {
    eventsLine: published[0]?.bytes ?? 0,
    counted: {
      ...NOTHING,
      requests: 1,
      invocations: ran.filter((line) => !published.includes(line)).map(invocationOf),
      readUnits: sum(({ readUnits, ReadUnits }) => readUnits ?? ReadUnits),
      writeUnits: sum(({ writeUnits, WriteUnits }) => writeUnits ?? WriteUnits),
      objectWrites: sum(({ calls }) => calls.s3),
      messages,
      fairMessages: messages,
      handovers: published.length,
      // Each change is a batch of its own, and an event on the bus.
      events: published.length,
      bytesOut: bytes.length + Buffer.byteLength(fields.join('')),
    },
  };
}

const invocationOf = ({ resource, calls, bytes }: Line & { bytes: number }): Invocation => ({
  memoryMb: memoryOf(
    resource,
    registry.find(({ name }) => name === resource),
  ),
  waits: calls,
  logBytes: bytes,
});
