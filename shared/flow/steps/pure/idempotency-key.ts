import { createHash } from 'node:crypto';
import { parseIdempotencyKey } from '../../../http/fields/idempotency-key.ts';
import { KEY_INPUT } from '../../../representations/forms/form.ts';
import type { SentFile } from '../../../resource/actions/sent.ts';
import type { Content } from '../../content.ts';
import { refuse } from '../../ending.ts';
import type { Keyed, Received, Sent } from '../../exchange.ts';
import { step } from '../../step.ts';

/** Retention of a recorded answer, in ms. Source: Specification 10.1. */
const RETENTION_MS = 24 * 60 * 60 * 1000;
const METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH']);
const NO_BYTES = new Uint8Array();
const NO_KEY: Keyed = { keyed: undefined };

/**
 * Reads the idempotency key from the header field or from the form.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.
 */
export const idempotencyKey = step<Received & Sent, Keyed>()('idempotencyKey', [400], async (exchange) => {
  const { request, submitted, asOperation } = exchange;
  // The key of an operation is its own. The service has checked the client's key at acceptance.
  if (asOperation) return { keyed: asOperation.keyed };
  const field = request.headers['idempotency-key'] ?? submitted?.get(KEY_INPUT)?.[0];
  if (field === undefined || !METHODS.has(request.method)) return NO_KEY;
  const key = request.repeated?.has('idempotency-key') ? undefined : await parseIdempotencyKey(field);
  if (key === undefined) {
    return refuse('validation-error', 'The idempotency key is malformed. Send 1 to 255 characters of ASCII', {
      errors: [{ header: 'Idempotency-Key', detail: 'must be one key of 1 to 255 characters of ASCII' }],
    });
  }
  const { subject = '', tenant } = request.principal ?? {};
  // A caller can act for several tenants. The answer to a request for one of them is not for the others.
  const caller = tenant === undefined ? [subject] : [subject, tenant];
  const keyed = {
    id: digest(...caller, request.method, request.path, key),
    fingerprint: fingerprintOf(exchange),
    expiresAt: request.receivedAt + RETENTION_MS,
  };
  return { keyed };
});

/**
 * A digest of the payload. The same key with another payload is a different request. For a form, the digest covers
 * the inputs, because the boundary between them differs in each submission.
 */
function fingerprintOf({ request, submitted, content }: Received & Sent): string {
  const query = JSON.stringify([...request.query]);
  if (submitted) {
    const parts = filesOf(content).flatMap(({ name, mediaType, bytes }) => [name, mediaType, bytes]);
    return digest(query, JSON.stringify([...submitted]), ...parts);
  }
  return digest(query, request.headers['content-type'] ?? '', request.content() ?? NO_BYTES);
}

/** The files of a form: of a store, or as binary properties of an item. */
function filesOf(content: Content): readonly SentFile[] {
  if (content.kind === 'files') return content.files;
  if (content.kind !== 'item' && content.kind !== 'change') return [];
  return content.binaries.flatMap(({ name, sent }) => (sent ? [{ name, ...sent }] : []));
}

/** The digest includes the length of each part, so that no two lists of parts have the same digest. */
function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
