import { log } from '../../shared/aws/log.ts';
import { eachMessage } from '../../shared/lambda/messages.ts';
import { observedBackground } from '../../shared/lambda/observed.ts';
import { abandon } from '../../shared/operations/abandon.ts';
import { attributesOf, originOf } from '../../shared/operations/record.ts';

/**
 * Ends operations that were given up: none stays pending for ever. One that another message led to a run that goes on is
 * left to it.
 */
export const handler = observedBackground(
  'dead-letters',
  eachMessage(async ({ body, attributes }) => {
    const { operationId: id } = JSON.parse(body) as { operationId: number };
    const found = await attributesOf(id);
    const origin = found && originOf(found, id);
    const { ApproximateReceiveCount: times } = attributes;
    log('error', {
      requestId: origin?.requestId,
      operationId: id,
      message: 'An operation was given up',
      times,
    });
    if (origin) await abandon({ id, origin, canceled: found.status?.S === 'Canceling' }, 'nobody');
  }),
);
