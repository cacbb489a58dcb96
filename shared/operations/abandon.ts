import { problem } from '../http/problem.ts';
import { type End, failed, finish, type Holder } from './finish.ts';
import { recordedEnd } from './idempotency.ts';
import type { Origin } from './record.ts';

/** An operation that is not worked on any more. */
export interface GivenUp {
  readonly id: number;
  readonly origin: Origin;
  /** The client does not want it any more. */
  readonly canceled: boolean;
}

/**
 * Ends an operation that came to no end by itself. What it did although nobody could say so counts as done.
 * Answers whether this call ended it.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function abandon({ id, origin, canceled }: GivenUp, holder: Holder): Promise<boolean> {
  const stated = problem(
    'unavailable',
    'It was tried several times without success: what it needs did not answer',
  );
  const otherwise: End = canceled ? { status: 'Canceled' } : failed(stated, origin);
  return finish(id, (await recordedEnd(id, origin, Date.now())) ?? otherwise, holder);
}
