import { setTimeout } from 'node:timers/promises';

/** The result of some work; undefined if it takes longer than `ms` milliseconds. The work goes on, and must not throw. */
export async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | undefined> {
  const timer = new AbortController();
  const late = setTimeout(ms, undefined, { signal: timer.signal }).catch(() => undefined);
  const result = await Promise.race([work, late]);
  timer.abort();
  return result;
}
