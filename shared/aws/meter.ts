import { AsyncLocalStorage } from 'node:async_hooks';

/** The usage of engines by one invocation: DynamoDB's units, and calls with their time in ms by engine. */
export interface Usage {
  readUnits: number;
  writeUnits: number;
  readonly calls: Map<string, { count: number; ms: number }>;
  /** The reads of a reading request, whose read units have a limit: read-budget.ts. */
  readonly reads: Reads | undefined;
}

/** Returns the output that DynamoDB would give to a command that writes. @throws the error that it would give */
export type Judge = (command: string, input: object) => Promise<object>;

/**
 * Judges the writes of work that asks what it would do. None of them reaches an engine, also if it follows the end of the
 * work: a part that fails does not wait for the others.
 */
export const judging = new AsyncLocalStorage<Judge | undefined>();

/** Returns the output of a write to S3 or SQS that has not reached it. The SDK adds the metadata of the call. */
const undone = () => ({
  $metadata: {},
  ETag: NO_TAG,
  UploadId: 'dry-run',
  CopyObjectResult: { ETag: NO_TAG },
  CopyPartResult: { ETag: NO_TAG },
  MessageId: 'dry-run',
});
const NO_TAG = '"00000000000000000000000000000000"';

interface Reads {
  /** The most units that running reads can still take. */
  reserved: number;
  /** The ends of running reads. */
  readonly running: Set<Promise<unknown>>;
  /** The start of the read that asked last: reads start in the order in which they ask. */
  lastStart: Promise<void> | undefined;
}

/** Returns the usage before the first call. `isReading`: of a reading request. */
export const noUsage = (isReading = false): Usage => ({
  readUnits: 0,
  writeUnits: 0,
  calls: new Map(),
  reads: isReading ? { reserved: 0, running: new Set(), lastStart: undefined } : undefined,
});

/** The usage by the invocation that runs. */
export const current = new AsyncLocalStorage<Usage>();

/** Counts the calls of engines during `work` in `usage`. `given`: its parameters. */
export const metering = <Given extends readonly unknown[], Result>(
  usage: Usage,
  work: (...given: Given) => Result,
  ...given: Given
): Result => current.run(usage, work, ...given);

const READS = /^(?:Get|Query|Scan|BatchGet|TransactGet|Head|List)/;

/** Source: Amazon DynamoDB API Reference, ConsumedCapacity. */
interface Capacity {
  readonly CapacityUnits?: number | undefined;
}

/** The part of an AWS client that this module uses. */
interface MeteredClient {
  readonly middlewareStack: {
    add(middleware: Middleware, options: { step: Step; priority: 'high'; name: string }): void;
  };
}
type Step = 'initialize' | 'deserialize';
type Call = { input: object };
type Answer = { output: object };
type Middleware = (
  next: (call: Call) => Promise<Answer>,
  context: { commandName?: string },
) => (call: Call) => Promise<Answer>;

const DYNAMODB = 'dynamodb';
const S3 = 's3';

/** Returns a client whose calls count under the name of its engine. */
export function meterClient<Client>(client: Client, engine: string): Client {
  (client as MeteredClient).middlewareStack.add(
    (next, { commandName = '' }) =>
      async (call) => {
        const judge = judging.getStore();
        if (judge && !READS.test(commandName))
          return { output: engine === DYNAMODB ? await judge(commandName, call.input) : undone() };
        const usage = current.getStore();
        if (!usage) return next(call);
        const began = performance.now();
        const meteredCall =
          engine === DYNAMODB ? { ...call, input: { ...call.input, ReturnConsumedCapacity: 'TOTAL' } } : call;
        try {
          const answer = await next(meteredCall);
          const { ConsumedCapacity = [] } = answer.output as { ConsumedCapacity?: Capacity | Capacity[] };
          for (const { CapacityUnits = 0 } of [ConsumedCapacity].flat()) {
            if (READS.test(commandName)) usage.readUnits += CapacityUnits;
            else usage.writeUnits += CapacityUnits;
          }
          return answer;
        } finally {
          const calls = usage.calls.get(engine) ?? { count: 0, ms: 0 };
          usage.calls.set(engine, { count: calls.count + 1, ms: calls.ms + performance.now() - began });
        }
      },
    // The input of DynamoDB must change before the SDK serializes it. For S3, a late step excludes presigned requests,
    // which send nothing.
    { step: engine === S3 ? 'deserialize' : 'initialize', priority: 'high', name: 'meter' },
  );
  return client;
}
