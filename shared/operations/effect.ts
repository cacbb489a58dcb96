import { KEPT } from './record.ts';

/** What makes the work of an operation have its effect once: it is named by the operation itself. */
export const effectOf = (id: number, now = 0) => ({
  id: `operation:${id}`,
  fingerprint: 'operation',
  expiresAt: now + KEPT,
});
