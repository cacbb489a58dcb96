import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVICE } from '../../service/folders.ts';

/** Writes a file of the service unless it exists, and prints what happened. */
export function write(path: string, text: string): void {
  const file = join(SERVICE, path);
  const isNew = !existsSync(file);
  if (isNew) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  console.log(`${isNew ? 'wrote' : 'kept '} ${path}`);
}

/** The text of a file in `template`. */
export const template = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'template', `${name}.txt`), 'utf8');
