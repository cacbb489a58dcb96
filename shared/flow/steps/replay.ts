import type { Action } from '../../resource/action.ts';
import { actionInput } from '../action-input.ts';
import { refuse } from '../ending.ts';
import { step } from '../step.ts';

/** Statuses that an effect can have been answered with. */
const ANSWERED = [200, 201, 202, 204, 207, 303] as const;

/**
 * Answers a repeated request as it was answered the first time, before anything else is looked at: what its first
 * effect changed must not fail it.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.6.
 */
export const replay = step('replay', [409, 422, ...ANSWERED], async (exchange) => {
  const { resource, once } = exchange;
  if (!once || !resource.actions.replay) return undefined;
  const before = await (resource.actions.replay as Action)(actionInput(exchange));
  if (before.kind !== 'answered') return undefined;
  // The run before began it, and did not come to its end.
  if (exchange.work && !before.answer) {
    exchange.resumed = true;
    return undefined;
  }
  if (before.fingerprint !== once.fingerprint) {
    return refuse('idempotency-key-reused', 'This key came with another payload: use a new key', {
      errors: [{ header: 'Idempotency-Key', detail: 'belongs to another request' }],
    });
  }
  if (!before.answer) {
    return refuse('conflict', 'The first request with this key is still being worked on', {
      headers: { 'Retry-After': '1' },
    });
  }
  const { status, headers, body, count } = before.answer;
  return {
    status: status as (typeof ANSWERED)[number],
    headers: { ...headers, 'Idempotency-Replayed': 'true' },
    body,
    count,
  };
});
