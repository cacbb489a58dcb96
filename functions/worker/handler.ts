import { config } from '../../shared/aws/config.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { retriedLater } from '../../shared/lambda/retried.ts';
import { beginBackfill, type OperationMessage } from './backfill.ts';
import { run } from './run.ts';

/**
 * Runs operations. If a run fails, SQS delivers its message again, with a longer delay each time. After the queue's
 * number of attempts, SQS moves the message to the dead-letter queue.
 */
export const handler = observedBackground(
  'worker',
  retriedLater(config.operationsQueue, async ({ body }, times) => {
    const message = JSON.parse(body) as OperationMessage;
    if (message.backfill !== undefined) await beginBackfill(message);
    await run(message.operationId, times);
  }),
);
