import { createHash, randomBytes } from 'node:crypto';

/** A text that no one can guess: 43 characters of base64url, 256 bits. Source: RFC 7636 §4.1, §7.1. */
export const unguessable = (): string => randomBytes(32).toString('base64url');

/** The SHA-256 digest of a text, in base64url. Source: RFC 4648 §5. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** The code challenge of a code verifier, by the method S256. Source: RFC 7636 §4.2. */
export const challengeOf = (verifier: string): string => digestOf(verifier);
