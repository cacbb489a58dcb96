import { recordedAnswerOf } from '../store/idempotency/answers.ts';
import { type End, succeeded } from './finish.ts';
import { KEPT, type Origin } from './record.ts';

/** What makes the work of an operation have its effect once: it is named by the operation itself. */
export const idempotencyOf = (id: number, now = 0) => ({
  id: `operation:${id}`,
  fingerprint: 'operation',
  expiresAt: now + KEPT,
});

/**
 * The end of an operation whose effect was had by a run that died before it could say so; undefined when there is no
 * effect yet.
 *
 * @throws Unavailable when DynamoDB does not answer
 */
export async function recordedEnd(id: number, origin: Origin, now: number): Promise<End | undefined> {
  const before = await recordedAnswerOf(idempotencyOf(id), now);
  if (before.kind !== 'answered' || !before.answer) return undefined;
  const { count: done = 1 } = before.answer;
  return succeeded(before.answer, origin, { done, failed: 0, failures: [] });
}
