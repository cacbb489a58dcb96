import { setImmediate } from 'node:timers/promises';

/**
 * Does work and lets the event loop turn once, so that Jest's time limit can fail the test. Use it for
 * large inputs: work that grows with their square takes minutes.
 */
export async function finishes(work: () => unknown): Promise<void> {
  await work();
  await setImmediate();
}
