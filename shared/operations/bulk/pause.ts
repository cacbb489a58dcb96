/** The ms by which the pause grows after each conflict with other writers. */
const BACK_OFF = 20;

/** Pauses after a conflict. The pause grows with each attempt and is random, so that writers do not retry together. */
export const pause = (attempt: number): Promise<void> =>
  new Promise((later) => setTimeout(later, attempt * BACK_OFF * (0.5 + Math.random())));
