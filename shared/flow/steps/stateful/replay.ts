import { hasScope } from '../../../resource/access/sight.ts';
import type { Idempotency } from '../../../resource/actions/capabilities.ts';
import { refuse } from '../../ending.ts';
import type { KeyedRequest, Replayed, Understood } from '../../exchange.ts';
import { endWithRecorded, RECORDED, type RecordedStatus } from '../../recorded-answer.ts';
import { type Finding, step } from '../../step.ts';

/** A request that the service has not run before. */
export const FIRST: Replayed = { resumed: false };

/**
 * Replays the recorded answer of a repeated request. It runs before look-up and preconditions, because the first
 * effect may make them fail. If the answer shows fields that need scopes, a token without these scopes gets 403
 * instead.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.6; Specification 10.2, 11.15.
 */
export const replay = step<Understood, Replayed>()('replay', [403, 409, 422, ...RECORDED], (exchange) => {
  const { keyed, resource } = exchange;
  return keyed && resource.idempotency ? repeated(exchange, keyed, resource.idempotency) : FIRST;
});

async function repeated(
  { request, asOperation }: Understood,
  keyed: KeyedRequest,
  idempotency: Idempotency,
): Promise<Finding<Replayed, 403 | 409 | 422 | RecordedStatus>> {
  const before = await idempotency.replay(keyed, request.receivedAt);
  if (before.kind !== 'answered') return FIRST;
  // The previous run started the effect and recorded no answer.
  if (asOperation && !before.answer) return { resumed: true };
  if (before.fingerprint !== keyed.fingerprint) {
    return refuse(
      'idempotency-key-reused',
      'This key belongs to a request with another payload: use a new key',
      {
        errors: [{ header: 'Idempotency-Key', detail: 'belongs to another request' }],
        ...(before.answer?.headers.Location ? { made: before.answer.headers.Location } : {}),
      },
    );
  }
  if (!before.answer) {
    return refuse('conflict', 'The first request with this key is still running: repeat the request later', {
      headers: { 'Retry-After': '1' },
    });
  }
  const scope = before.answer.scopes?.find((one) => !hasScope(request, one));
  if (scope !== undefined) {
    const detail = `The first request with this key had the scope ${scope}. Repeat the request with it`;
    return refuse('forbidden', detail, { scopes: [scope] });
  }
  return endWithRecorded(before.answer, { 'Idempotency-Replayed': 'true' });
}
