/**
 * A sequencer for jest: the files by their names, where jest would begin with what took longest or failed last. They share
 * one service; what fails because of what another left fails again.
 */
export default class InOrder {
  sort(tests) {
    return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
