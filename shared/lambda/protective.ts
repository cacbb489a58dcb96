import { everyAnswer, headerOf } from './every-answer.ts';

/** Header fields of every response. Source: Fetch standard §3.7. */
export const PROTECTIVE = { 'X-Content-Type-Options': 'nosniff' };

/** Header fields of every response over TLS, valid for two years. Source: RFC 6797 §6.1, §7.2. */
export const TRANSPORT = { 'Strict-Transport-Security': 'max-age=63072000' };

/** Adds these fields to every response. API Gateway sets `X-Forwarded-Proto`. */
export const protective = () =>
  everyAnswer((headers, event) =>
    Object.assign(headers, PROTECTIVE, headerOf(event, 'x-forwarded-proto') === 'https' && TRANSPORT),
  );
