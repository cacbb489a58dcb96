/** Engines that others opened (npm run tool -- engines) are reached over sockets, and some compile while they run. */
const areReal = Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));

export default {
  // Modules of tests that ended are never freed: a process that has grown so far makes room for a new one.
  workerIdleMemoryLimit: '1GB',
  testEnvironment: 'node',
  testTimeout: areReal ? 30_000 : 5000,
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/cdk.out', '<rootDir>/.build', '<rootDir>/.venv', '<rootDir>/tools/'],
};
