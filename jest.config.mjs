import { join } from 'node:path';

// Programs that tests start, and the workers of jest, read compiled modules instead of TypeScript.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.build/compiled');

/** Engines of another process use sockets, and some compile while they run. */
const areReal = Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));

/** Tests of one service or one set of engines would change each other's data if they ran at the same time. */
const isShared = areReal || process.env.BASE_URL !== undefined;

const project = {
  testEnvironment: 'node',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.build', '<rootDir>/(?:lab|tools)/'],
};

export default {
  reporters: [
    'default',
    '<rootDir>/test/support/skips/reporter.mjs',
    '<rootDir>/test/support/processor-time.mjs',
  ],
  // jest leaves one core free by default. The tests wait for other processes most of the time.
  maxWorkers: isShared ? 1 : '100%',
  // Modules of tests that ended are never freed: a process that has grown so far makes room for a new one.
  workerIdleMemoryLimit: '1GB',
  // Ms for a test that hangs. A busy machine needs several times as long as a quiet one. jest ignores it in a project.
  testTimeout: areReal ? 60_000 : 30_000,
  projects: [
    {
      ...project,
      testMatch: ['<rootDir>/test/conformance/**/*.test.ts'],
      globalSetup: './test/support/service/start-services.ts',
      globalTeardown: './test/support/service/stop-services.ts',
    },
    {
      ...project,
      testMatch: ['<rootDir>/test/!(conformance)/**/*.test.ts'],
      globalSetup: './test/support/service/start-run.ts',
      globalTeardown: './test/support/service/end-run.ts',
    },
  ],
};
