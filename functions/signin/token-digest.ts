import { createHash } from 'node:crypto';

/** Returns the SHA-256 digest of a token, in base64url. Source: RFC 4648 §5. */
export const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
