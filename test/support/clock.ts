let passed = 0;

/** The machine's clock, and the time that tests let pass: milliseconds since the epoch. */
export const testTime = (): number => Date.now() + passed;

/** Lets time pass for services and engines that use `testTime`. */
export function timePasses(milliseconds: number): void {
  passed += milliseconds;
}

/** Does work at a later time, and comes back to the present. */
export async function withTimePassed<Result>(
  milliseconds: number,
  work: () => Promise<Result>,
): Promise<Result> {
  timePasses(milliseconds);
  try {
    return await work();
  } finally {
    timePasses(-milliseconds);
  }
}
