/** Tests that do not pass where the service runs, and why that is no fault of the service. */
export interface Difference {
  readonly because: string;
  /** The tests of each file, by their full names. */
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

/** What became of one test: its file and full name, and jest's word for how it ended. */
export interface Ended {
  readonly file: string;
  readonly name: string;
  readonly status: string;
}

export interface Verdict {
  readonly passed: number;
  /** Did not pass, as the list says. */
  readonly listed: readonly string[];
  /** Did not pass, and nothing says why: a test that failed, or that was skipped. */
  readonly unexpected: readonly string[];
  /** Passed though the list says that it cannot; or is no test at all. */
  readonly stale: readonly string[];
}

/** Compares what became of the tests with the list: each that did not pass is in it, and nothing else is. */
export function judge(ended: readonly Ended[], differences: readonly Difference[]): Verdict {
  const expected = new Set(
    differences.flatMap(({ tests }) =>
      Object.entries(tests).flatMap(([file, names]) => names.map((name) => titleOf({ file, name }))),
    ),
  );
  const passed = new Set(ended.filter(({ status }) => status === 'passed').map(titleOf));
  const others = [...new Set(ended.filter(({ status }) => status !== 'passed').map(titleOf))];
  return {
    passed: ended.filter(({ status }) => status === 'passed').length,
    listed: others.filter((title) => expected.has(title)),
    unexpected: others.filter((title) => !expected.has(title)),
    stale: [...expected].filter((title) => passed.has(title) || !others.includes(title)),
  };
}

const titleOf = ({ file, name }: Pick<Ended, 'file' | 'name'>): string => `${file} › ${name}`;
