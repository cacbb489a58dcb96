/** Times in ms. `pauses`: after the first attempt, the second one and so on; the last one repeats. `most`: of all attempts. */
export interface Schedule {
  readonly pauses: readonly number[];
  readonly most: number;
}

/** SQS hides a message for at most 12 h after its receipt. This is less, because the attempt takes time. Unit: ms. */
const LONGEST = 43_100_000;

/**
 * The number of an attempt, and the pause after its failure; no pause: it is the last one. Attempts have no counter: the
 * time `since` the event says which of the schedule it is, so a message that SQS delivers twice changes nothing.
 *
 * Source: Specification 18.8; Amazon SQS API Reference, ChangeMessageVisibility.
 */
export function attemptAt(
  since: number,
  { pauses, most }: Schedule,
): { readonly attempt: number; readonly pause?: number } {
  let attempt = 1;
  const pauseAfter = (one: number) => Math.min(pauses[Math.min(one, pauses.length) - 1] ?? most, LONGEST);
  for (let start = pauseAfter(1); start <= since; start += pauseAfter(attempt)) attempt += 1;
  const pause = pauseAfter(attempt);
  return since + pause > most ? { attempt } : { attempt, pause };
}
