export default {
  testEnvironment: 'node',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: [
    '<rootDir>/cdk.out',
    '<rootDir>/.build',
    '<rootDir>/.venv',
    '<rootDir>/test/bench/node_modules',
    '<rootDir>/examples/client/node_modules',
    '<rootDir>/test/suites',
  ],
};
