import { PROVEN, type ReceiverState } from '../../shared/events/webhooks/heads.ts';

/** An attempt is quick up to this time, in ms. */
const QUICK_MS = 1000;
/** The longest pause after a time-out, in ms. */
const LONGEST_PAUSE_MS = 300_000;
/** The fewest failures before a suspension. */
const FEWEST_FAILURES = 5;

/** An attempt. `isLate`: the receiver did not respond in time. */
export interface AttemptTimes {
  readonly isDelivered: boolean;
  readonly isLate: boolean;
  readonly began: number;
  readonly ended: number;
}

/**
 * The state after an attempt. `pauseAfter`: the pause of the schedule after so many failures, in ms.
 *
 * Source: Specification 18.9.
 */
export function afterAttempt(
  { streak, failures, failingSince }: ReceiverState,
  { isDelivered, isLate, began, ended }: AttemptTimes,
  pauseAfter: (failures: number) => number,
): ReceiverState {
  if (isDelivered)
    return { streak: ended - began <= QUICK_MS ? Math.min(streak + 1, PROVEN) : 0, failures: 0 };
  const pause = Math.min(pauseAfter(failures + 1), LONGEST_PAUSE_MS);
  return {
    streak: 0,
    failures: failures + 1,
    failingSince: failingSince ?? began,
    ...(isLate ? { pausedUntil: ended + pause } : {}),
  };
}

/**
 * True if no attempt has succeeded for so long (`most`, in ms) that the service suspends the subscription. Time without
 * attempts does not count alone: at least five failed.
 *
 * Source: Specification 18.8.
 */
export const hasFailedFor = (
  { failures, failingSince }: ReceiverState,
  { most, now }: { readonly most: number; readonly now: number },
): boolean => failures >= FEWEST_FAILURES && failingSince !== undefined && now - failingSince >= most;
