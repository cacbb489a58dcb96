import { runCommand } from '../tools/run-command.ts';

/** The suites have packages of their own, so the compiler does not follow this import. */
const PICTURES = `${import.meta.dirname}/suites/pictures.ts`;

/** `npm run lab -- NAME [ARGUMENTS]` runs one of these commands. Without a name, it lists them. */
await runCommand('npm run lab --', [
  ['compare [PEER]', 'a comparison with other APIs: docs/comparison.md', () => import('./compare/run.ts')],
  ['engines COMMAND', 'on real engines: docs/engines.md', () => import('./real-engines/main.ts')],
  ['harm', 'an agent that harms a service, and one undo', () => import('./harm/run.ts')],
  ['mutants [PART]', 'changes that tests notice: docs/mutants.md', () => import('./mutants/run.ts')],
  ['package', 'a service of the packed project', () => import('./package/run.ts')],
  ['pictures', 'the pictures of docs/pages, by Chromium', () => import(PICTURES)],
  ['rehearsal [PART]', 'a deployment to an emulator', () => import('./rehearsal/run.ts')],
  ['sam start', 'the functions in containers: docs/sam.md', () => import('./sam/start.ts')],
  ['sam image', 'the image of the containers', () => import('./sam/image/image.ts')],
  ['sam conformance [FILE]', 'the HTTP tests in containers', () => import('./sam/conformance/run.ts')],
  ['sample REVISION', 'changed lines to break by hand: docs/mutants.md', () => import('./mutants/sample.ts')],
  ['scale', 'a million items, and loads on a virtual clock: docs/scale.md', () => import('./scale/run.ts')],
  ['soak', 'clients of a service that is killed each minute', () => import('./soak/run.ts')],
  ['walk', 'the way of a request through the files: lab/README.md', () => import('./walk/run.ts')],
]);
