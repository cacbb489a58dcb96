import { config } from '../../shared/aws/config.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { retriedLater } from '../../shared/lambda/retried.ts';
import { run } from './run.ts';

/**
 * Runs operations. If a run fails, SQS delivers its message again, with a longer delay each time. After the queue's
 * number of attempts, SQS moves the message to the dead-letter queue.
 */
export const handler = observedBackground(
  'worker',
  retriedLater(config.operationsQueue, async ({ body }, times) => {
    const { operationId } = JSON.parse(body) as { operationId: number };
    await run(operationId, times);
  }),
);
