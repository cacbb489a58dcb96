import { createHash } from 'node:crypto';
import { parseIdempotencyKey } from '../../http/idempotency-key.ts';
import { KEY_INPUT } from '../../representations/form-fields.ts';
import type { RecordedAnswer } from '../../resource/action.ts';
import { refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { respond } from '../response/respond.ts';
import { step } from '../step.ts';

/** Milliseconds that an answer is kept. */
const KEPT = 24 * 60 * 60 * 1000;
const METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH']);
const NO_BYTES = new Uint8Array();

/**
 * Finds what makes the request have its effect once: its key, in a header field or in its form.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.
 */
export const idempotencyKey = step('idempotencyKey', [400], (exchange) => {
  const { request, submitted } = exchange;
  const field = request.headers['idempotency-key'] ?? submitted?.get(KEY_INPUT)?.[0];
  if (field === undefined || !METHODS.has(request.method)) return undefined;
  const key = request.repeated?.has('idempotency-key') ? undefined : parseIdempotencyKey(field);
  if (key === undefined) {
    return refuse('validation-error', 'The idempotency key is malformed', {
      errors: [{ header: 'Idempotency-Key', detail: 'must be one key of 1 to 255 characters of ASCII' }],
    });
  }
  exchange.once = {
    id: digest(request.principal?.subject ?? '', request.method, request.path, key),
    fingerprint: fingerprintOf(exchange),
    expiresAt: request.receivedAt + KEPT,
    // What an action does is described by its outcome: the response to it can be made before it is done.
    answer: async (outcome) =>
      (await respond({ ...exchange, outcome, applied: [...exchange.applied] })) as RecordedAnswer,
  };
  return undefined;
});

/**
 * A digest of what was sent: another payload under the same key is another request. A form is known by its inputs, as
 * the boundary between them differs each time it is sent.
 */
function fingerprintOf({ request, submitted, files = [] }: Exchange): string {
  const query = JSON.stringify([...request.query]);
  if (submitted) {
    const parts = files.flatMap(({ name, mediaType, bytes }) => [name, mediaType, bytes]);
    return digest(query, JSON.stringify([...submitted]), ...parts);
  }
  return digest(query, request.headers['content-type'] ?? '', request.content() ?? NO_BYTES);
}

/** Each part's length goes in as well, so that no two lists of parts look the same. */
function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
