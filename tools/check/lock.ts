import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Lock, lockFaults, type Manifest } from './lock-faults.ts';

/** Folders with a lock file: the project with its workspaces, and the commands with their own packages. */
const FOLDERS = ['.', 'tools/check', 'lab/sam/image/runtime', 'lab/bench', 'lab/mutants', 'lab/suites'];

const read = (folder: string, name: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../..', folder, name), 'utf8'));

const { workspaces } = read('.', 'package.json') as { workspaces: readonly string[] };

const faults = [...FOLDERS, ...workspaces].flatMap((folder) => {
  const lock = workspaces.includes(folder) ? { packages: {} } : (read(folder, 'package-lock.json') as Lock);
  return lockFaults(lock, read(folder, 'package.json') as Manifest).map((fault) => `${folder}: ${fault}`);
});
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
