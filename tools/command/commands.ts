import { spawnSync } from 'node:child_process';
import { moduleAt } from '../../service/folders.ts';
import { Obstacle } from '../obstacle.ts';

/** These options of Node keep the memory of the service small. */
const START = ['--expose-gc', '--max-semi-space-size=4', '--heap-growing-percent=10'];

/** `npx resource-api NAME [ARGUMENTS]` runs one of these commands. Without a name, it lists them. */
const COMMANDS: readonly (readonly [usage: string, about: string, run: (args: string[]) => unknown])[] = [
  ['init', 'write the files of a new service', () => import('./init.ts')],
  [
    'start [OPTIONS]',
    'run the service on this machine',
    (args) => become(...START, moduleAt('local/main'), ...args),
  ],
  [
    'test [FILES]',
    'run the tests',
    (args) => become('--test', ...(args.length > 0 ? args : ['test/**/*.test.ts'])),
  ],
  ['check', 'show what the changes since the last release mean', () => import('./check/main.ts')],
  ['release', 'record the description and the tables that are deployed', () => import('./release.ts')],
  ['new NAME', 'write a new resource', () => import('../new/main.ts')],
  ['data COMMAND', 'export, import, restore or erase data', () => import('../data/main.ts')],
  ['backfill RESOURCE', 'write what stored items lack', () => import('../backfill/main.ts')],
  ['smoke URL [TOKEN]', 'check a running service over HTTP', () => import('../smoke/main.ts')],
];

/** Replaces this process by Node with these arguments. Windows cannot, so there it runs Node and waits. */
function become(...args: readonly string[]): void {
  if (process.platform !== 'win32')
    process.execve?.(process.execPath, [process.execPath, ...args], process.env);
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS.find(([usage]) => usage.split(' ')[0] === name);
if (command) {
  const [, , run] = command;
  // The command sees its own arguments alone.
  process.argv.splice(2, 1);
  try {
    await run(args);
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
} else {
  console.log('npx resource-api COMMAND');
  for (const [usage, about] of COMMANDS) console.log(`  ${usage.padEnd(20)} ${about}`);
  process.exitCode = ['', '--help'].includes(name) ? 0 : 2;
}
