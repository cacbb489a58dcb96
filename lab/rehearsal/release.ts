import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const CHANGED = 'functions/members.ts';

/**
 * Writes the sources of a later release into a folder: this checkout with one more order of members, by `email`.
 * @throws Error if the definition of members has no field `email`
 */
export function laterRelease(folder: string): void {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  for (const file of files.filter((one) => one !== '')) cpSync(join(ROOT, file), join(folder, file));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const source = readFileSync(join(folder, CHANGED), 'utf8');
  const changed = source.replace(/(?<=email: email\(\{[^}]*) \}/, ', sortable: true }');
  if (changed === source) throw new Error(`${CHANGED} has no field email`);
  writeFileSync(join(folder, CHANGED), changed);
}
