import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { folder, tests } = JSON.parse(process.env.MUTANTS);
const packages = createRequire(join(folder, 'package.json'));
const vitest = join(folder, 'node_modules/vitest/dist/index.js');

/** Stryker runs the tests of Jest with Vitest, because its runner for Jest needs 4 s for each mutant. */
export default {
  cacheDir: join(tmpdir(), 'mutants-cache'),
  resolve: {
    alias: [
      { find: /^vitest$/, replacement: vitest },
      { find: /^@jest\/globals$/, replacement: join(import.meta.dirname, 'globals.mjs') },
      { find: /^fast-check$/, replacement: join(import.meta.dirname, 'fast-check.mjs') },
      { find: /^fast-check-itself$/, replacement: packages.resolve('fast-check') },
    ],
  },
  // Each run is a worker of its own, so its test files can share modules.
  test: { include: tests, isolate: false, testTimeout: 30_000 },
};
