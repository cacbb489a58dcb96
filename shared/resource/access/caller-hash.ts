import { createHmac } from 'node:crypto';

/**
 * A text in place of a caller's name, for logs and events: 32 hexadecimal digits. Without the key of the deployment,
 * the subject of a token cannot be guessed from it. Source: RFC 2104; Specification 11.14.
 */
export const callerHash = (key: string, subject: string): string =>
  createHmac('sha256', key).update(subject).digest('hex').slice(0, 32);
