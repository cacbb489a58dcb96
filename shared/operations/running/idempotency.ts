import { recordedAnswerOf } from '../../store/idempotency/answers.ts';
import { type Origin, RETENTION } from '../record/record.ts';
import { type End, successOf } from './finish.ts';

/** The idempotency of an operation: its own identifier is the key. `now` and `expiresAt` are ms since the epoch. */
export const idempotencyOf = (id: number, now = 0) => ({
  id: `operation:${id}`,
  fingerprint: 'operation',
  expiresAt: now + RETENTION,
});

/**
 * The end of an operation whose previous run had the effect and crashed before it ended the operation. undefined: no
 * run recorded an effect. `now`: ms since the epoch.
 *
 * @throws Unavailable if DynamoDB does not respond
 */
export async function recordedEnd(id: number, origin: Origin, now: number): Promise<End | undefined> {
  const before = await recordedAnswerOf(idempotencyOf(id), now);
  if (before.kind !== 'answered' || !before.answer) return undefined;
  const { count: done = 1 } = before.answer;
  return successOf(before.answer, origin, { done, failed: 0, failures: [] });
}
