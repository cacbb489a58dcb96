import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { name, mutate } = JSON.parse(process.env.MUTANTS);

export default {
  mutate,
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'lab/mutants/vitest.config.mjs', related: false },
  coverageAnalysis: 'perTest',
  concurrency: Number(process.env.CONCURRENCY ?? 2),
  checkers: [],
  // Stryker reads tsconfig.json by functions that TypeScript 7 does not have.
  ignorePatterns: ['tsconfig.json', 'docs', 'examples', 'infra', '.data', '.venv', '.engines', '.build'],
  tempDirName: join(tmpdir(), `mutants-${name}`),
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: join(tmpdir(), `mutants-${name}.json`) },
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  allowConsoleColors: false,
  thresholds: { high: 90, low: 85, break: 85 },
};
