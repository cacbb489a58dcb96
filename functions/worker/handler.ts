import { config } from '../../shared/aws/config.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { retriedLater } from '../../shared/lambda/retried.ts';
import { run } from './run.ts';

/**
 * Works on operations. A message whose operation could not be worked on now comes again, later each time, and after the
 * queue's number of attempts goes to the dead letters.
 */
export const handler = observedBackground(
  'worker',
  retriedLater(config.operationsQueue, async ({ body }, times) => {
    const { operationId } = JSON.parse(body) as { operationId: number };
    await run(operationId, times);
  }),
);
