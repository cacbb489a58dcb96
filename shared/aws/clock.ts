let clock: () => number = Date.now;

/** Milliseconds since the epoch, by the clock of the service. */
export const currentTime = (): number => clock();

/** Replaces the clock of the service. Tests use it to let time pass. */
export function configureClock(replacement: () => number): void {
  clock = replacement;
}

/**
 * Milliseconds since the epoch, by the clock of the machine. Signatures need it: an engine compares their time with its
 * own clock, which tests do not replace.
 */
export const machineTime = (): number => Date.now();
