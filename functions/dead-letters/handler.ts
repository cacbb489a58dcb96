import type { RemovedItems } from '../../shared/aws/clients/queue.ts';
import { log } from '../../shared/aws/log.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { attributesOf, originOf } from '../../shared/operations/record/record.ts';
import { abandon, NO_LEASE } from '../../shared/operations/running/finish.ts';

/** Characters of an unknown message in the log. */
const SHOWN = 2000;

type Message = { readonly operationId: number } | { readonly removed: RemovedItems };

/** Returns the message of an operation or of removed items; undefined for any other text. */
function messageIn(body: string): Message | undefined {
  try {
    const found: Partial<{ operationId: unknown; removed: RemovedItems }> | null = JSON.parse(body);
    if (found?.removed) return { removed: found.removed };
    const { operationId } = found ?? {};
    return typeof operationId === 'number' ? { operationId } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Fails the operations whose messages are in the dead-letter queue, so that each operation ends. If a worker holds the
 * lease of an operation, because another message started it, the handler leaves the operation to this worker. A log
 * line names the removed items whose references stay: a backfill of the referring items clears them. A log line keeps
 * the text of an unknown message: it would fail for ever. `times` marks these lines for an alarm.
 *
 * Source: Specification 7.15.
 */
export const handler = observeBackground(
  'dead-letters',
  eachMessage(async ({ body, attributes }) => {
    const message = messageIn(body);
    const { ApproximateReceiveCount: times } = attributes;
    if (message === undefined)
      return log('error', {
        body: body.slice(0, SHOWN),
        message: 'The service drops an unknown message',
        times,
      });
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
