/** Prints the groups of tests that did not run, with their reasons, below the summary of Jest. `.ci/run` reads the lines. */
export default class Skips {
  onRunComplete(_contexts, { testResults }) {
    const lines = testResults.flatMap(({ testFilePath, testResults: tests }) =>
      tests
        .filter(({ status }) => status === 'pending')
        .flatMap(({ ancestorTitles }) => ancestorTitles.map((title) => /\[skipped: (.*)\]$/.exec(title)?.[1]))
        .filter((reason) => reason !== undefined)
        .map((reason) => `Skipped: ${testFilePath.replace(`${process.cwd()}/`, '')}: ${reason}`),
    );
    process.once('exit', () => [...new Set(lines)].forEach((line) => void console.error(line)));
  }
}
