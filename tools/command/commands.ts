import { spawnSync } from 'node:child_process';
import { writeService } from 'create-resource-api';
import { moduleAt, SERVICE } from '../../service/folders.ts';
import { runCommand } from '../run-command.ts';

/** These options of Node keep the memory of the service small. */
const START = ['--expose-gc', '--max-semi-space-size=4', '--heap-growing-percent=10'];

/** Replaces this process by Node with these arguments. Windows cannot, so there it runs Node and waits. */
function become(...args: readonly string[]): void {
  if (process.platform !== 'win32')
    process.execve?.(process.execPath, [process.execPath, ...args], process.env);
  process.exitCode = spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

/** `npx resource-api NAME [ARGUMENTS]` runs one of these commands. Without a name, it lists them. */
await runCommand('npx resource-api', [
  ['init', 'write the files of a new service', () => writeService(SERVICE)],
  ['types [FILE]', 'write the types of the service for clients', () => import('./write-types.ts')],
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
  ['run SCHEDULE', 'run a schedule now', () => import('../schedule/main.ts')],
  ['secret NAME', 'set a secret that code needs', () => import('../secret/main.ts')],
  ['audit-hash SUBJECT', 'compute the hash of a caller in logs', () => import('../audit-hash.ts')],
  ['runbook [SECTION]', 'print what to do on an alarm, for this service', () => import('../runbook/main.ts')],
  ['cost [OPTIONS]', 'compute what this service costs on AWS', () => import('../cost/main.ts')],
  ['smoke URL [TOKEN]', 'check a running service over HTTP', () => import('../smoke/main.ts')],
  ['trace FUNCTION [FILE]', 'find the sources of a stack trace in a log', () => import('../trace/main.ts')],
]);
