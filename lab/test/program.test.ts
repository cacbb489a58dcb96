import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { command } from '../../test/support/service/command.ts';

const PROGRAM = JSON.stringify(join(import.meta.dirname, '../program.ts'));

test('a command of the laboratory ends if a program is missing, and names it', async () => {
  const code = `import { succeed } from ${PROGRAM};
    await succeed('no-such-program', [], 'It is required').catch(({ message }) => console.log(message));`;
  const args = ['--input-type=module', '--eval', code];
  const ended = await command(process.execPath, args, { limitMs: 20_000 });
  expect(ended).toMatchObject({ code: 0, log: 'It is required.\nspawn no-such-program ENOENT\n' });
});

test('the message of a failed program has the end of its output', async () => {
  const failing = "console.log('begin' + 'x'.repeat(10_000) + 'end'); process.exitCode = 1";
  const code = `import { succeed } from ${PROGRAM};
    await succeed(process.execPath, ['--eval', ${JSON.stringify(failing)}], 'It failed').catch(({ message }) => console.log(message));`;
  const args = ['--input-type=module', '--eval', code];
  const { log } = await command(process.execPath, args, { limitMs: 20_000 });
  expect(log).toMatch(/^It failed\.\nx{3000,}end\n+$/);
});
