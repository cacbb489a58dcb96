import type { RemovedItems } from '../../shared/aws/clients/queue.ts';
import { log } from '../../shared/aws/log.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { attributesOf, originOf } from '../../shared/operations/record/record.ts';
import { abandon } from '../../shared/operations/running/abandon.ts';
import { NO_LEASE } from '../../shared/operations/running/finish.ts';

/**
 * Fails the operations whose messages are in the dead-letter queue, so that each operation ends. If a worker holds the
 * lease of an operation, because another message started it, the handler leaves the operation to this worker. A log
 * line names the removed items whose references stay: a backfill of the referring items clears them.
 *
 * Source: Specification 7.15.
 */
export const handler = observeBackground(
  'dead-letters',
  eachMessage(async ({ body, attributes }) => {
    const message = JSON.parse(body) as { operationId: number } | { removed: RemovedItems };
    const { ApproximateReceiveCount: times } = attributes;
    if ('removed' in message)
      return log('error', { ...message.removed, message: 'The service did not clear references', times });
    const { operationId: id } = message;
    const found = await attributesOf(id);
    const origin = found && originOf(found, id);
    log('error', {
      requestId: origin?.requestId,
      operationId: id,
      message: 'The service abandons an operation',
      times,
    });
    if (origin) await abandon({ id, origin, canceled: found.status?.S === 'Canceling' }, NO_LEASE);
  }),
);
