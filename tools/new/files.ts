import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capital, type Names } from './names.ts';

const TEMPLATE = join(import.meta.dirname, 'template');

/** The text of each file of a new resource, by its name in the folder of the resource. */
export function filesOf({ plural, singular }: Names): Readonly<Record<string, string>> {
  const words: Readonly<Record<string, string>> = {
    PLURAL: plural,
    SINGULAR: singular,
    TITLE: capital(plural),
  };
  const texts = ['fields.ts', 'resource.ts'].map((name) => {
    const text = readFileSync(join(TEMPLATE, `${name}.txt`), 'utf8');
    return [name, text.replace(/PLURAL|SINGULAR|TITLE/g, (word) => words[word] ?? word)] as const;
  });
  return Object.fromEntries(texts);
}
