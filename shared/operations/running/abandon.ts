import { currentTime } from '../../aws/clock.ts';
import { problem } from '../../http/problem.ts';
import type { Origin } from '../record/record.ts';
import { type End, failureWith, finish, type Holder, recordedEnd } from './finish.ts';

/** An operation that no worker runs any more. */
export interface Abandoned {
  readonly id: number;
  readonly origin: Origin;
  /** True if the client cancelled the operation. */
  readonly canceled: boolean;
}

/**
 * Ends an abandoned operation. If one of its runs recorded a result before it crashed, the operation succeeds.
 * Returns true if this call ended the operation.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function abandon({ id, origin, canceled }: Abandoned, holder: Holder): Promise<boolean> {
  const stated = problem(
    'unavailable',
    'The service tried several times without success. Check what was changed, then send the request again',
  );
  const otherwise: End = canceled ? { status: 'Canceled' } : failureWith(stated, origin);
  return finish(id, (await recordedEnd(id, origin, currentTime())) ?? otherwise, holder);
}
