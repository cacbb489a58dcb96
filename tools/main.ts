import { Obstacle } from './obstacle.ts';

/** `npm run tool -- NAME [ARGUMENTS]` runs one of these commands. Without a name, it lists them. */
const TOOLS: readonly (readonly [usage: string, about: string, run: () => Promise<unknown>])[] = [
  ['audit-hash SUBJECT', 'the hash of a caller in logs and events', () => import('./audit-hash.ts')],
  [
    'compare [PEER]',
    'a league table with other APIs: docs/comparison.md',
    () => import('../lab/compare/run.ts'),
  ],
  ['engines COMMAND', 'on real engines: docs/engines.md', () => import('../lab/real-engines/main.ts')],
  ['mutants [PART]', 'changes that tests notice: docs/mutants.md', () => import('../lab/mutants/run.ts')],
  ['package', 'a service of the packed project', () => import('../lab/package/run.ts')],
  ['release', 'records what clients and items depend on', () => import('./command/release.ts')],
  ['rehearsal [PART]', 'a deployment to an emulator', () => import('../lab/rehearsal/run.ts')],
  ['sam start', 'the functions in containers: docs/sam.md', () => import('../lab/sam/start.ts')],
  ['sam image', 'the image of the containers', () => import('../lab/sam/image/image.ts')],
  ['sam conformance [FILE]', 'the HTTP tests in containers', () => import('../lab/sam/conformance/run.ts')],
  ['soak', 'clients of a service that is killed each minute', () => import('../lab/soak/run.ts')],
  ['smoke URL [TOKEN]', 'checks of a running service: docs/smoke.md', () => import('./smoke/main.ts')],
  ['walk', 'the way of a request through the files: lab/README.md', () => import('../lab/walk/run.ts')],
];

/** The words before the arguments: `sam start`. */
const nameOf = (usage: string): string => usage.replace(/ [[A-Z].*/, '');

const given = process.argv.slice(2);
const tool = TOOLS.find(([usage]) => `${given.join(' ')} `.startsWith(`${nameOf(usage)} `));
if (tool) {
  const [usage, , run] = tool;
  // The command sees its own arguments alone.
  process.argv.splice(2, nameOf(usage).split(' ').length);
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
} else {
  console.log('npm run tool -- NAME [ARGUMENTS]');
  for (const [usage, about] of TOOLS) console.log(`  ${usage.padEnd(24)} ${about}`);
  process.exitCode = given.length === 0 ? 0 : 2;
}
