import type { DynamoDBRecord } from 'aws-lambda';
import { handler as publish } from '../../../functions/events/handler.ts';
import { members } from '../../../functions/members.ts';
import { DEFAULT_SHARDS } from '../../../shared/aws/config.ts';
import { Changes } from '../../../test/faults/webhooks/changes.ts';
import { eventOf } from '../../events.ts';
import { handlerOf } from '../../handler.ts';
import { type CallingEnvironment, running } from './database.ts';
import type { Units } from './model/partitions.ts';
import { Refusals, type Refused } from './model/refusals.ts';
import { Requests } from './requests.ts';
import { type Service, withService } from './service.ts';

/** Changes that wait in the stream of a table. */
export interface Backlog {
  readonly changes: number;
  /** The warm throughput of each table. */
  readonly warm: Units;
  /** The shards of the stream: one for each partition of the table. */
  readonly shards: number;
  readonly eventWorkers: number;
  readonly seed: number;
}

/** How fast the events function adds changes to the log. */
export interface Drained {
  /** Changes a second, after a third of the changes. */
  readonly rate: number;
  readonly refusals: Readonly<Record<string, Refused>>;
}

/** Records of an invocation, as in the stack, and ms until Lambda delivers refused ones again. */
const BATCH = 100;
const AGAIN_MS = 1000;

/** Lets the events function take all changes of a stream, as fast as it can. */
export function drain({ changes, warm, shards, eventWorkers, seed }: Backlog): Promise<Drained> {
  let records: DynamoDBRecord[] = [];
  const refusals = new Refusals(0, 1000);
  const tables = { warm, quota: Number.POSITIVE_INFINITY, splitMs: Number.POSITIVE_INFINITY };
  return withService(
    { tables, shards: DEFAULT_SHARDS, refusals, seed },
    async ({ clock, engines }) => {
      const stream = new Changes(engines);
      const requests = new Requests(clock.random);
      const handler = handlerOf(members);
      for (let count = 0; count < changes + BATCH; count += 1) await handler(eventOf(requests.put()));
      records = stream.taken().records;
      // The first call of each client reads the configuration of the machine.
      await publish({ Records: records.splice(0, BATCH) });
    },
    async (service) => {
      const queues = Map.groupBy(records, ({ dynamodb }) => {
        const id = Number(dynamodb?.Keys?.id?.N);
        return (id % 9973) % (shards * eventWorkers);
      });
      const ends: number[] = [];
      for (const queue of queues.values()) void take(service, queue, ends);
      await service.clock.run();
      ends.sort((a, b) => a - b);
      const third = Math.floor(ends.length / 3);
      const seconds = ((ends.at(-1) ?? 0) - (ends[third] ?? 0)) / 1000;
      return { rate: (ends.length - third) / seconds, refusals: refusals.all() };
    },
  );
}

/** Invokes the function with one batch after another, and again with the records of a batch that failed. */
async function take(
  { clock, retries }: Service,
  queue: readonly DynamoDBRecord[],
  ends: number[],
): Promise<void> {
  const environment: CallingEnvironment = { weight: 1, retries: await retries() };
  for (let at = 0; at < queue.length; ) {
    const Records = queue.slice(at, at + BATCH);
    const failed = await running
      .run(environment, () => publish({ Records }))
      .then(({ batchItemFailures: [first] }) => first?.itemIdentifier)
      .catch(() => Records[0]?.dynamodb?.SequenceNumber);
    const first = Records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
    const done = failed === undefined ? Records.length : Math.max(first, 0);
    for (let count = 0; count < done; count += 1) ends.push(clock.now);
    at += done;
    if (failed !== undefined) await clock.sleep(AGAIN_MS);
  }
}
