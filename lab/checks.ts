/** Runs one check. Its body throws to fail. */
export type Check = (name: string, body: () => unknown) => Promise<void>;

/** The result of a check. */
export interface Checked {
  readonly name: string;
  /** Absent when it passed. */
  readonly failure?: string;
}

/** A list of checks and a function to add one. `check` prints the name of each check after it ran. */
export function checks(): { readonly done: readonly Checked[]; readonly check: Check } {
  const done: Checked[] = [];
  const check: Check = async (name, body) => {
    try {
      await body();
      done.push({ name });
      console.log(`  ✓ ${name}`);
    } catch (error) {
      const failure = error instanceof Error ? error.message : String(error);
      done.push({ name, failure });
      console.log(`  ✕ ${name}\n${failure.replace(/^/gm, '      ')}`);
    }
  };
  return { done, check };
}
