/**
 * Times in ms. `pauses`: after the first attempt, the second one and so on; the last one repeats. `most`: of all attempts.
 */
export interface Schedule {
  readonly pauses: readonly number[];
  readonly most: number;
}

/** The fewest attempts to deliver an event. */
const FEWEST = 5;

/** The pause after an attempt that failed, by its number, in ms. Source: Specification 18.8. */
export const pauseAfter = (attempt: number, { pauses, most }: Schedule): number =>
  pauses[Math.min(attempt, pauses.length) - 1] ?? most;

/** The number of the last attempt, and its time after the first one in ms. Source: Specification 18.8. */
export function lastAttempt(schedule: Schedule): { readonly attempt: number; readonly after: number } {
  let [attempt, after] = [1, 0];
  for (;;) {
    const pause = pauseAfter(attempt, schedule);
    if (attempt >= FEWEST && after + pause > schedule.most) return { attempt, after };
    after += pause;
    attempt += 1;
  }
}
