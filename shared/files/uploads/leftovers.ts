import { waitingFor } from '../../operations/part-tracker.ts';
import { Objects } from '../objects.ts';
import { STAGED, sentTo } from './record.ts';

/**
 * Removes what was sent for operations that nobody waits for any more, and tells again (`tell`, with its key) of what is
 * waited for: its message may be held for a while by who died over it. On AWS the queue brings messages back, and the
 * bucket's lifecycle rule removes.
 *
 * @throws Unavailable when S3 or DynamoDB does not answer
 */
export async function sweepStaged(tell: (key: string) => Promise<unknown>): Promise<void> {
  const staged = new Objects(STAGED);
  for await (const { key } of staged.list()) {
    const sent = sentTo(key);
    if (!sent || typeof (await waitingFor(sent.operation)) === 'string') await staged.remove(key);
    else await tell(STAGED + key);
  }
}
