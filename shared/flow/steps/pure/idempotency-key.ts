import { createHash } from 'node:crypto';
import { parseIdempotencyKey } from '../../../http/fields/idempotency-key.ts';
import { refuse } from '../../ending.ts';
import type { Keyed, Received, SentContent } from '../../exchange.ts';
import { step } from '../../step.ts';

/** Retention of a recorded answer, in ms. Source: Specification 10.1. */
const RETENTION_MS = 24 * 60 * 60 * 1000;
const METHODS: ReadonlySet<string> = new Set(['POST', 'PATCH']);
const NO_BYTES = new Uint8Array();
/** A request without a key. */
export const NO_KEY: Keyed = { keyed: undefined };

/**
 * Reads the idempotency key.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header §2.
 */
export const idempotencyKey = step<Received & SentContent, Keyed>()(
  'idempotencyKey',
  [400],
  async (exchange) => {
    const { request, asOperation } = exchange;
    // The key of an operation is its own. The service has checked the client's key at acceptance.
    if (asOperation) return { keyed: asOperation.keyed };
    const field = request.headers['idempotency-key'];
    if (field === undefined || !METHODS.has(request.method)) return NO_KEY;
    const key = request.repeated?.has('idempotency-key') ? undefined : await parseIdempotencyKey(field);
    if (key === undefined) {
      return refuse(
        'validation-error',
        'The idempotency key is malformed. Send 1 to 255 characters of ASCII',
        {
          errors: [{ header: 'Idempotency-Key', detail: 'must be one key of 1 to 255 characters of ASCII' }],
        },
      );
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
  },
);

/** A digest of the payload. The same key with another payload is a different request. */
function fingerprintOf({ request, identity }: Received & SentContent): string {
  const query = JSON.stringify([...request.query]);
  if (identity) return digest(query, ...identity);
  return digest(query, request.headers['content-type'] ?? '', request.content() ?? NO_BYTES);
}

/** The digest includes the length of each part, so that no two lists of parts have the same digest. */
function digest(...parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest('base64url');
}
