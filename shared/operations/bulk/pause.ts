/** By how many ms later each time what met other writers is tried again. */
const BACK_OFF = 20;

/** Gives other writers time, longer with each attempt; not all the same. */
export const pause = (attempt: number): Promise<void> =>
  new Promise((later) => setTimeout(later, attempt * BACK_OFF * (0.5 + Math.random())));
