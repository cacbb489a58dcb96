import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commandsOf, expectPrinted } from '../support/document-commands.ts';
import { command, type Ended } from '../support/service/command.ts';
import { temporary } from '../support/service/service.ts';

const ROOT = join(import.meta.dirname, '../..');
const guide = readFileSync(join(ROOT, 'docs/resources.md'), 'utf8');
const blocks = [...guide.matchAll(/^```(ts|sh|console)\n([\s\S]*?)^```$/gm)].map(
  ([, kind = '', text = '']) => ({ kind, text }),
);
const BUILT = ['suppliers', 'invoices'];
const there = ['bash', 'curl', 'git'].every((name) => spawnSync(name, ['--version']).status === 0);

let copy: string;
let remove: () => Promise<void>;

/** A copy of the checkout, without what git ignores, in which the author of a resource works. */
beforeAll(async () => {
  const made = await temporary();
  remove = made.remove;
  copy = join(made.directory, 'checkout');
  const { stdout } = spawnSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: ROOT });
  for (const path of stdout.toString('utf8').split('\0')) {
    if (!path || !existsSync(join(ROOT, path))) continue;
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  // The author of this checkout may have built the same resources.
  for (const name of BUILT) rmSync(join(copy, 'functions', `${name}.ts`), { force: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
}, 60_000);
afterAll(() => remove(), 60_000);

const outside = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('npm_') && name !== 'NODE_OPTIONS'),
);

const run = (program: string, ...args: readonly string[]): Promise<Ended> =>
  command(program, args, { cwd: copy, env: outside, limitMs: 300_000 });

/** Writes the file that a block shows: its first line is the path. */
function write(text: string): void {
  const [, path = '', rest = ''] = /^\/\/ (\S+)\n([\s\S]*)$/.exec(text) ?? [];
  writeFileSync(join(copy, path), rest);
}

/** Starts the service of the copy, and sends it the requests of the guide. */
async function sendRequests(): Promise<void> {
  const child = spawn(process.execPath, ['local/main.ts'], {
    cwd: copy,
    env: { ...outside, PORT: '0', DATA_DIR: join(copy, '.data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      const [, url] = /^Listening on (\S+)/.exec(line) ?? [];
      if (url) return await expectPrinted(commandsOf(guide), url, dirname(copy));
    }
    throw new Error('The service of the copy ended before it listened');
  } finally {
    child.kill('SIGKILL');
  }
}

(there ? test : test.skip)(
  'the guide to resources works as it says, and its resources pass the checks',
  async () => {
    for (const { kind, text } of blocks) {
      if (kind === 'ts') write(text);
      if (kind === 'sh') expect(await run('bash', '-ec', text)).toMatchObject({ code: 0 });
    }
    await sendRequests();
    for (const check of ['types', 'lint', 'generated', 'compatible', 'stored'])
      expect(await run('npm', 'run', 'check', '--', check)).toMatchObject({ code: 0 });
    expect(await run('npm', 'test', '--', 'test/house')).toMatchObject({ code: 0 });
  },
  600_000,
);

test('the file of invoices has fewer than 40 lines', () => {
  const files = blocks.filter(
    ({ kind, text }) => kind === 'ts' && text.startsWith('// functions/invoices.ts'),
  );
  expect(files).toHaveLength(1);
  expect(files.flatMap(({ text }) => text.trimEnd().split('\n').slice(1)).length).toBeLessThan(40);
});
