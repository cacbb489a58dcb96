import { currentTime } from '../shared/aws/clock.ts';

/** The day of a time in UTC, as fields of the kind `date` have it. `now`: ms since the epoch. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10);

/** A stored value depends on the day. */
export class UsesClock extends Error {}

let stored: string | undefined;

/** Runs code that computes a stored value. @throws UsesClock with the sentence if the code asks for the day */
export function withoutClock<Result>(sentence: string, run: () => Result): Result {
  stored = sentence;
  try {
    return run();
  } finally {
    stored = undefined;
  }
}

/**
 * Returns the current day in UTC, as fields of the kind `date` have it: `2026-12-31`. Source: RFC 3339 §5.6, full-date.
 * @throws Error in a stored value of `computed`, which would not change with the day
 */
export function today(): string {
  if (stored !== undefined) throw new UsesClock(stored);
  return dayOf(currentTime());
}
