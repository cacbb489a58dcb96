import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Programs that tests start, and the workers of jest, read compiled modules instead of TypeScript.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '.build/compiled');

/** Engines of another process use sockets, and some compile while they run. */
const areReal = Object.keys(process.env).some((name) => name.startsWith('AWS_ENDPOINT_URL'));

/** Tests of one service or one set of engines would change each other's data if they ran at the same time. */
const isShared = areReal || process.env.BASE_URL !== undefined;

/**
 * The proofs: kills, faults, histories, releases, heavy loads and whole programs, which take as long as all others.
 * `npm run proof` runs them, and `npm test` those whose file or folder it names.
 */
const PROOFS = [
  'test/conformance/operations/restart.test.ts',
  'test/crash',
  'test/data/export.test.ts',
  'test/data/imports.test.ts',
  'test/data/recovery/drill.test.ts',
  'test/data/releases.test.ts',
  'test/delivery/kill.test.ts',
  'engines/test/persistence.test.ts',
  'test/engines/read-units.test.ts',
  'test/engines/s3/large-files.test.ts',
  'test/engines/s3/large-uploads.test.ts',
  'test/engines/upgrades',
  'test/faults/cleared-references.test.ts',
  'test/faults/late-copies.test.ts',
  'test/faults/operations.test.ts',
  'test/faults/requests.test.ts',
  'test/faults/toxiproxy.test.ts',
  'test/faults/webhooks',
  'test/histories/histories.test.ts',
  'test/histories/histories-of-releases.test.ts',
  'test/local/data-folder.test.ts',
  'test/local/npm-start.test.ts',
  'test/smoke/smoke.test.ts',
];
const gone = PROOFS.filter((path) => !existsSync(join(import.meta.dirname, path)));
if (gone.length > 0) throw new Error(`jest.config.mjs names proofs that do not exist: ${gone}`);

const isProof = process.env.npm_lifecycle_event === 'proof';
const isNamed = (path) =>
  process.argv.some((name) => name.startsWith(path) || path.startsWith(`${name.replace(/\/$/, '')}/`));

const globOf = (path) => `<rootDir>/${path}${path.endsWith('.ts') ? '' : '/**/*.test.ts'}`;

/** The tests of conformance, or the others, that this command runs. */
const testsOf = (isConformance) =>
  isProof
    ? {
        testMatch: PROOFS.filter((path) => path.startsWith('test/conformance/') === isConformance).map(
          globOf,
        ),
      }
    : {
        testMatch: isConformance
          ? ['<rootDir>/test/conformance/**/*.test.ts']
          : [
              '<rootDir>/test/!(conformance)/**/*.test.ts',
              '<rootDir>/{client,create,engines}/test/**/*.test.ts',
            ],
        testPathIgnorePatterns: PROOFS.filter((path) => !isNamed(path)).map((path) => `<rootDir>/${path}`),
      };

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
      ...testsOf(true),
      globalSetup: './test/support/service/start-run.ts',
      globalTeardown: './test/support/service/end-run.ts',
    },
    {
      ...project,
      ...testsOf(false),
      globalSetup: './test/support/service/start-run.ts',
      globalTeardown: './test/support/service/end-run.ts',
    },
  ],
};
