import { refuse } from '../ending.ts';
import { step } from '../step.ts';

/** Statuses that a recorded answer can have. */
const ANSWERED = [200, 201, 202, 204, 207, 303] as const;

/**
 * Replays the recorded answer of a repeated request. It runs before look-up and preconditions, because the first
 * effect may make them fail.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.6; Specification 10.2.
 */
export const replay = step('replay', [409, 422, ...ANSWERED], async (exchange) => {
  const { resource, once, request } = exchange;
  if (!once || !resource.idempotency) return undefined;
  const before = await resource.idempotency.replay(once, request.receivedAt);
  if (before.kind !== 'answered') return undefined;
  // The previous run started the effect and recorded no answer.
  if (exchange.work && !before.answer) {
    exchange.resumed = true;
    return undefined;
  }
  if (before.fingerprint !== once.fingerprint) {
    return refuse(
      'idempotency-key-reused',
      'This key belongs to a request with another payload: use a new key',
      {
        errors: [{ header: 'Idempotency-Key', detail: 'belongs to another request' }],
      },
    );
  }
  if (!before.answer) {
    return refuse('conflict', 'The first request with this key is still running: repeat the request later', {
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
