/** Tests that fail on SAM, with the reason why the service is not at fault. */
export interface Difference {
  readonly because: string;
  /** The full names of the tests by file. A pattern covers several tests, and all of them fail. */
  readonly tests: Readonly<Record<string, readonly (string | RegExp)[]>>;
}

/** The result of one test: its file, its full name and jest's status. */
export interface Ended {
  readonly file: string;
  readonly name: string;
  readonly status: string;
  /** The reason of the failure. */
  readonly message?: string;
}

export interface Verdict {
  readonly passed: number;
  /** The number of listed tests that failed. */
  readonly listed: number;
  /** Tests that failed or were skipped without an entry in the list. */
  readonly unexpected: readonly { title: string; message: string }[];
  /** Entries with a test that passed, and entries without a test. */
  readonly stale: readonly string[];
}

/** Compares the results with the list. Each failed test must be in the list, and each listed test must fail. */
export function verdictOf(ended: readonly Ended[], differences: readonly Difference[]): Verdict {
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
