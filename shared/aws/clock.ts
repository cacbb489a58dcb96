let clock: () => number = Date.now;

/** Milliseconds since the epoch, by the clock of the service. */
export const currentTime = (): number => clock();

/** Replaces the clock of the service. Tests use it to let time pass. */
export function configureClock(replacement: () => number): void {
  clock = replacement;
}
