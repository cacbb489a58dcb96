import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { command } from '../support/service/command.ts';

const PROGRAM = JSON.stringify(join(import.meta.dirname, '../../lab/program.ts'));

test('a command of the laboratory ends if a program is missing, and names it', async () => {
  const code = `import { succeed } from ${PROGRAM};
    await succeed('no-such-program', [], 'It is required').catch(({ message }) => console.log(message));`;
  const args = ['--input-type=module', '--eval', code];
  const ended = await command(process.execPath, args, { limitMs: 20_000 });
  expect(ended).toMatchObject({ code: 0, log: 'It is required.\nspawn no-such-program ENOENT\n' });
});
