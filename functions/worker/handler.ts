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
import { retriedLater, type Times } from '../../shared/lambda/retried.ts';
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
    if ('removed' in message) return clear(message.removed, times);
    if ('ended' in message) return findEnded(message.ended, times);
    if ('compare' in message) return (await import('./compare.ts')).compare(message.compare, times);
    if (message.backfill !== undefined) await beginBackfill(message);
    await run(message.operationId, times);
  }),
);

/** Clears references. Another message continues the work if the time of this run does not suffice. */
async function clear(removed: RemovedItems, { deadline }: Times): Promise<void> {
  const rest = await clearReferences(registry, removed, deadline);
  if (rest) await sendRemoved(rest);
}

/** Finds the removed items whose histories have ended. Another message continues the work, as above. */
async function findEnded(ended: EndedItems, { deadline }: Times): Promise<void> {
  const rest = await claimEnded(registry, ended, deadline);
  if (rest) await sendEnded(rest);
}
