import { join } from 'node:path';
import { packageIn } from '../../../tools/packages.ts';

/** The requests of one kind. */
export interface Asked {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The number of successful answers, and the time in ms. */
export interface Load {
  readonly answers: number;
  readonly ms: number;
}

/** A result of autocannon: numbers of responses, and the times of its start and its end. */
interface Result {
  readonly '2xx': number;
  readonly non2xx: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly start: Date;
  readonly finish: Date;
}

const path = packageIn(join(import.meta.dirname, '..'), 'autocannon/autocannon.js');
const autocannon: (options: object) => Promise<Result> = (await import(path)).default;

/**
 * Sends requests by ten connections, for some seconds or a number of times. `mayFail`: a failed request does not count.
 * @throws Error if a request fails
 */
export async function load(
  asked: Asked,
  extent: { duration: number } | { amount: number },
  mayFail = false,
): Promise<Load> {
  const { start, finish, ...counts } = await autocannon({ connections: 10, ...asked, ...extent });
  const failures = counts.non2xx + counts.errors + counts.timeouts;
  if (failures > 0 && !mayFail) throw new Error(`${asked.url}: ${failures} requests failed`);
  return { answers: counts['2xx'], ms: finish.getTime() - start.getTime() };
}
