import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { command } from '../support/service/command.ts';

/** Replaces the module that loads the definitions by one that throws, as a wrong definition does. */
const HOOK = `import { registerHooks } from 'node:module';
const source = 'export const definitions = 0, scheduleDefinitions = 0; throw new Error("functions/zoo.ts:2: it is wrong")';
registerHooks({ load: (url, context, next) => url.endsWith('/service/definitions.ts')
  ? { format: 'module', shortCircuit: true, source } : next(url, context) });`;

test('npm start prints the sentence about a definition that Node cannot load, and nothing else', async () => {
  const main = join(import.meta.dirname, '../../local/main.ts');
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(HOOK)}`;
  const { code, log } = await command(process.execPath, [main], { env: { ...process.env, NODE_OPTIONS } });
  expect(log).toBe('functions/zoo.ts:2: it is wrong\n');
  expect(code).toBe(1);
});
