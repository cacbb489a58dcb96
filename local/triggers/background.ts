import { setTimeout as later } from 'node:timers/promises';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { handler as deadLetters } from '../../functions/dead-letters/handler.ts';
import { handler as fanOut } from '../../functions/fanout/handler.ts';
import { handler as sweep } from '../../functions/sweeper/handler.ts';
import { handler as uploads } from '../../functions/uploads/handler.ts';
import { handler as webhooks } from '../../functions/webhooks/handler.ts';
import { handler as work } from '../../functions/worker/handler.ts';
import { HAS_SUBSCRIPTIONS } from '../../service/about.ts';
import { files } from '../../service/files.ts';
import { config } from '../../shared/aws/config.ts';
import { names, queueUrl } from '../provision/names.ts';
import { type Mapping, type Pump, pump } from './pump.ts';

/** Maximum milliseconds of one invocation. */
const RUN_MS = 300_000;

/** Milliseconds in which running invocations can finish when the service stops. */
const GRACE_MS = 5000;

/**
 * Starts the background functions: the worker, the dead-letters function, the sweeper, the uploads function if the service
 * stores files, and the functions of webhooks if it has subscriptions. `more`: further pumps that have little time to stop.
 */
export function startBackground(sqs: SQSClient, more: readonly Pump[]): Pump {
  const mapped = (
    name: string,
    handler: Mapping['handler'],
    limits: Pick<Mapping, 'batchSize' | 'concurrency'>,
    timeout = RUN_MS,
  ) => pump(sqs, { queueUrl: queueUrl(name), handler, timeout, ...limits });
  const runTime = Number(process.env.RUN_SECONDS ?? 0) * 1000 || RUN_MS;
  const pumps: readonly Pump[] = [
    ...more,
    mapped(names.queue, work, { batchSize: 1, concurrency: 4 }, runTime),
    mapped(names.deadLetterQueue, deadLetters, { batchSize: 10, concurrency: 1 }),
    ...(files ? [names.uploadsQueue, names.largeUploadsQueue] : []).map((name) =>
      mapped(name, uploads, { batchSize: 1, concurrency: 4 }),
    ),
    ...(HAS_SUBSCRIPTIONS
      ? [
          mapped(names.fanOutQueue, fanOut, { batchSize: 10, concurrency: 1 }),
          mapped(names.provenQueue, webhooks, { batchSize: 1, concurrency: 4 }),
          // A run mostly waits for its receiver.
          mapped(names.webhooksQueue, webhooks, { batchSize: 1, concurrency: 20 }),
        ]
      : []),
  ];
  let sweeping: Promise<void> = Promise.resolve();
  const swept = () => {
    sweeping = sweep().catch((error: Error) =>
      console.error(JSON.stringify({ level: 'error', function: 'sweeper', error: error.message })),
    );
  };
  swept();
  const timer = setInterval(swept, config.sweepTime());
  return {
    stop: async () => {
      clearInterval(timer);
      // Longer work continues at the next start, as after a kill.
      const patience = new AbortController();
      await Promise.race([
        Promise.all([sweeping, ...pumps.map((one) => one.stop())]),
        later(GRACE_MS, undefined, { signal: patience.signal }).catch(() => undefined),
      ]);
      patience.abort();
    },
  };
}
