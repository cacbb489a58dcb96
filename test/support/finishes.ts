import { setImmediate } from 'node:timers/promises';

/**
 * Does synchronous work and lets the event loop turn once, so that Jest's limit for a test can fail it.
 * For inputs so large that work which grows with their square takes minutes.
 */
export async function finishes(work: () => unknown): Promise<void> {
  work();
  await setImmediate();
}
