import { registry } from '../../service/registry.ts';
import {
  type Comparison,
  type EndedItems,
  type RemovedItems,
  sendEnded,
  sendRemoved,
} from '../../shared/aws/clients/queue.ts';
import { config } from '../../shared/aws/config.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { retriedLater } from '../../shared/lambda/retried.ts';
import { beginBackfill, type OperationMessage } from './backfill/operation.ts';
import { clearReferences } from './clear-references.ts';
import { claimEnded } from './ended-items.ts';
import { run } from './run.ts';

/**
 * A message about an operation, about removed items whose references have `clear`, about those whose histories have ended,
 * or about two stores to compare.
 */
type Message =
  | OperationMessage
  | { readonly removed: RemovedItems }
  | { readonly ended: EndedItems }
  | { readonly compare: Comparison };

/**
 * Runs operations, clears the references to removed items, and repairs what S3 and the tables say differently. If a run
 * fails, SQS delivers its message again, with a longer delay each time. After the queue's number of attempts, SQS moves
 * the message to the dead-letter queue.
 */
export const handler = observeBackground(
  'worker',
  retriedLater(config.operationsQueue, async ({ body }, times) => {
    const message = JSON.parse(body) as Message;
    const { deadline } = times;
    if ('removed' in message)
      return later(await clearReferences(registry, message.removed, deadline), sendRemoved);
    if ('ended' in message) return later(await claimEnded(registry, message.ended, deadline), sendEnded);
    if ('compare' in message) return (await import('./compare.ts')).compare(message.compare, times);
    if (message.backfill !== undefined) await beginBackfill(message);
    await run(message.operationId, times);
  }),
);

/** Sends what is left, so that another message continues the work. */
const later = async <Rest>(rest: Rest | undefined, send: (rest: Rest) => Promise<unknown>): Promise<void> => {
  if (rest) await send(rest);
};
