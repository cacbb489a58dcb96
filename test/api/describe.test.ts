import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');

/** The interfaces whose properties an author writes, by their modules. */
const FACTS = {
  'api/resource-options.ts': /^export interface (?:ResourceFacts|Computed|ChangeOf)\b/,
  'api/actions.ts': /^(?:export )?interface (?:ActionFacts|ItemAction|CollectionAction|ActionInput)\b/,
  'api/fields/declared.ts': /^export interface FieldFacts\b/,
  'api/fields/kinds.ts': /^export interface \w+Facts\b/,
  'api/fields/references.ts': /^interface ReferenceFacts\b/,
  'shared/resource/description/field-types.ts': /^(?:export )?interface \w+\b/,
};

/** The facts of kinds that no author states: a function of the language does. */
const STATED = ['kind'];

/** The properties of these interfaces that have no comment in front, so the editor would show nothing for them. */
function silentFacts(path: string, wanted: RegExp): string[] {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  let isInside = false;
  return lines.flatMap((line, at) => {
    if (wanted.test(line)) isInside = true;
    else if (/^\}/.test(line)) isInside = false;
    const [, name = ''] = /^ {2}readonly (\w+)\??:/.exec(line) ?? [];
    const isSilent = isInside && name !== '' && !STATED.includes(name) && !/\*\/$/.test(lines[at - 1] ?? '');
    return isSilent ? [`${path}:${at + 1}: ${name}`] : [];
  });
}

test.each(Object.entries(FACTS))('the editor shows a sentence for each fact of %s', (path, wanted) => {
  expect(readFileSync(join(ROOT, path), 'utf8')).toMatch(new RegExp(wanted.source, 'm'));
  expect(silentFacts(path, wanted)).toEqual([]);
});
