import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { command } from '../../support/service/command.ts';

const root = pathToFileURL(join(import.meta.dirname, '../../../')).href;

/** Loads the first of these definitions as a service does. Returns the message of the error. */
async function messageOf(modules: Readonly<Record<string, string>>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'definitions-'));
  const folder = join(directory, 'functions');
  try {
    mkdirSync(folder);
    for (const [name, text] of Object.entries(modules)) writeFileSync(join(folder, name), text);
    const [first = ''] = Object.keys(modules);
    const script = `import { located } from '${root}service/definitions.ts';
      await import('${pathToFileURL(join(folder, first)).href}').catch((error) =>
        console.log(located(error, ${JSON.stringify(folder)}).message));`;
    const { stdout } = await command(process.execPath, ['--input-type=module', '-e', script]);
    return stdout.toString().trim();
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const PEOPLE = `import { resource } from '${root}api/index.ts';
export const people = resource('people', { about: 'People.', fields: {} });`;
const FAULT = "The singular of 'people' is not clear. State it: singular: 'word'.";

test('the error of a definition names its file and its line, whatever the name of the resource is', async () => {
  expect(await messageOf({ 'staff.mts': PEOPLE })).toBe(`functions/staff.mts:2: ${FAULT}`);
});

test('an error of an imported definition names that file', async () => {
  const imports = "export { people } from './staff.mts';";
  expect(await messageOf({ 'cars.mts': imports, 'staff.mts': PEOPLE })).toBe(
    `functions/staff.mts:2: ${FAULT}`,
  );
});

test('an error outside of the definitions stays as it is', async () => {
  expect(await messageOf({ 'staff.mts': "import '/nowhere.mjs';" })).toMatch(/^Cannot find module/);
});

test('the error of two files that import each other says how to refer to the other', async () => {
  const one = "import { b } from './b.mts'; export const a = b;";
  const other = "import { a } from './a.mts';\nexport const b = a;";
  expect(await messageOf({ 'a.mts': one, 'b.mts': other })).toBe(
    "functions/b.mts:2: Cannot access 'a' before initialization. Refer to the other by name: reference('…')",
  );
});

test.each([
  [
    'an import without its ending',
    "import { b } from './b';",
    'functions/a.ts: an import names its file with the ending: b.ts',
  ],
  [
    'an enum',
    'export const a = 1;\nenum Status { open, closed }',
    "functions/a.ts:2: TypeScript enum is not supported in strip-only mode. List the texts: text({ choices: ['open', 'closed'] })",
  ],
  [
    'a decimal without bounds',
    `import { decimal } from '${root}api/index.ts';\ndecimal();`,
    'functions/a.ts:2: A decimal has bounds. State them: decimal({ minimum: 0, below: 1000 })',
  ],
])('the error of %s says what to write', async (_what, text, message) => {
  expect(await messageOf({ 'a.ts': text, 'b.ts': 'export const b = 1;' })).toBe(message);
});
