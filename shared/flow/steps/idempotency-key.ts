import { createHash } from 'node:crypto';
import { parseIdempotencyKey } from '../../http/idempotency-key.ts';
import { KEY_INPUT } from '../../representations/form-fields.ts';
import type { RecordedAnswer } from '../../resource/action.ts';
import { refuse } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import { respond } from '../response/respond.ts';
import { step } from '../step.ts';

/** Retention of a recorded answer, in ms. Source: Specification 10.1. */
const RETENTION_MS = 24 * 60 * 60 * 1000;
const METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH']);
const NO_BYTES = new Uint8Array();

/**
 * Reads the idempotency key from the header field or from the form.
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
    expiresAt: request.receivedAt + RETENTION_MS,
    // The outcome describes the whole effect, so the response can be rendered before the effect is committed.
    answer: async (outcome) =>
      (await respond({ ...exchange, outcome, applied: [...exchange.applied] })) as RecordedAnswer,
  };
  return undefined;
});

/**
 * A digest of the payload. The same key with another payload is a different request. For a form, the digest covers
 * the inputs, because the boundary between them differs in each submission.
 */
function fingerprintOf({ request, submitted, files = [] }: Exchange): string {
  const query = JSON.stringify([...request.query]);
  if (submitted) {
    const parts = files.flatMap(({ name, mediaType, bytes }) => [name, mediaType, bytes]);
    return digest(query, JSON.stringify([...submitted]), ...parts);
  }
  return digest(query, request.headers['content-type'] ?? '', request.content() ?? NO_BYTES);
}

/** The digest includes the length of each part, so that no two lists of parts have the same digest. */
function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
