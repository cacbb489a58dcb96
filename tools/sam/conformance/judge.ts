/** Tests that fail on SAM, with the reason why the service is not at fault. */
export interface Difference {
  readonly because: string;
  /** The tests of each file, by their full names; a pattern stands for several, none of which passes. */
  readonly tests: Readonly<Record<string, readonly (string | RegExp)[]>>;
}

/** The result of one test: its file, its full name and jest's status. */
export interface Ended {
  readonly file: string;
  readonly name: string;
  readonly status: string;
  /** Why it failed. */
  readonly message?: string;
}

export interface Verdict {
  readonly passed: number;
  /** How many did not pass, as the list says. */
  readonly listed: number;
  /** Tests that failed or were skipped without an entry in the list. */
  readonly unexpected: readonly { title: string; message: string }[];
  /** Entries of which a test passed, or that are about no test at all. */
  readonly stale: readonly string[];
}

/** Compares the results with the list. Each failed test must be in the list, and each listed test must fail. */
export function judge(ended: readonly Ended[], differences: readonly Difference[]): Verdict {
  const entries = entriesOf(differences).map((entry) => ({
    ...entry,
    about: ended.filter(({ file, name }) => file === entry.file && isNamed(name, entry.name)),
  }));
  const listed = new Set(entries.flatMap(({ about }) => about));
  const others = ended.filter(({ status }) => status !== 'passed');
  return {
    passed: ended.length - others.length,
    listed: others.filter((one) => listed.has(one)).length,
    unexpected: others
      .filter((one) => !listed.has(one))
      .map((one) => ({ title: titleOf(one), message: one.message ?? one.status })),
    stale: entries
      .filter(({ about }) => about.length === 0 || about.some(({ status }) => status === 'passed'))
      .map(titleOf),
  };
}

/** Each line of the list. */
export const entriesOf = (differences: readonly Difference[]): { file: string; name: string | RegExp }[] =>
  differences.flatMap(({ tests }) =>
    Object.entries(tests).flatMap(([file, names]) => names.map((name) => ({ file, name }))),
  );

const isNamed = (name: string, entry: string | RegExp): boolean =>
  typeof entry === 'string' ? name === entry : entry.test(name);

const titleOf = ({ file, name }: { file: string; name: string | RegExp }): string => `${file} › ${name}`;
