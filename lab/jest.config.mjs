import { join } from 'node:path';
import product from '../jest.config.mjs';

const { reporters, maxWorkers, workerIdleMemoryLimit, testTimeout, projects } = product;
const [, inProcess] = projects;

/** The tests of the laboratory alone, with the settings of the project's tests. */
export default {
  reporters,
  maxWorkers,
  workerIdleMemoryLimit,
  testTimeout,
  rootDir: join(import.meta.dirname, '..'),
  projects: [
    {
      ...inProcess,
      rootDir: join(import.meta.dirname, '..'),
      testMatch: ['<rootDir>/lab/test/**/*.test.ts'],
      modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.build', '/node_modules/'],
    },
  ],
};
