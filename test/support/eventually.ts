import { setTimeout as pause } from 'node:timers/promises';

/** Repeats a check every few ms until it passes, for at most `limit` ms. Then it throws the last failure. */
export async function eventually<Result>(
  check: () => Promise<Result>,
  every = 50,
  limit = 25_000,
): Promise<Result> {
  for (const until = Date.now() + limit; ; await pause(every)) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
