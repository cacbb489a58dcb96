import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { temporary } from '../support/service/service.ts';
import { describeUnless } from '../support/skips/describe-unless.ts';

const ROOT = join(import.meta.dirname, '../..');
const started: ChildProcess[] = [];
const removals: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const child of started.splice(0)) killGroup(child);
  for (const remove of removals.splice(0)) await remove();
});

/** Ends the remaining processes of a test. Each command has its own process group. */
function killGroup({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** A command that starts the service from a shell. Settles when it prints a line with an address. */
async function listening(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  shown = /^Listening on (\S+)/,
) {
  const { directory, remove } = await temporary();
  removals.push(remove);
  const outside = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  const child = spawn(program, args, {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...Object.fromEntries(outside), NODE_OPTIONS: '', PORT: '0', DATA_DIR: directory, ...environment },
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const [, url] = shown.exec(line) ?? [];
    if (url) return { child, url };
  }
  throw new Error(`${program} ended before the service listened`);
}

const isUp = (url: string): Promise<boolean> =>
  fetch(`${url}/health`).then(
    () => true,
    () => false,
  );

async function expectDown(url: string): Promise<void> {
  await eventually(async () => expect(await isUp(url)).toBe(false));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

// Long enough for several checks of the parent.
const LOOKS_MS = 3500;
const looks = () => new Promise((later) => setTimeout(later, LOOKS_MS));

const windows = process.platform === 'win32' ? 'Windows has no signals' : undefined;

// Specification 14.1
describeUnless(windows, 'npm start', () => {
  test('npm start prints the addresses to open in a browser', async () => {
    const shown = /^Open \S+\/ in a browser\. (\S+\/docs) describes all requests\.$/;
    const { url } = await listening(process.execPath, ['local/start.mjs'], {}, shown);
    expect((await fetch(url)).headers.get('Content-Type')).toContain('text/html');
  });

  test('npm start has its own engines in a shell for emulators', async () => {
    const shell = { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' };
    const { url } = await listening(process.execPath, ['local/start.mjs'], shell);
    expect((await fetch(`${url}/members`)).status).toBe(200);
  });

  test.each(['SIGKILL', 'SIGTERM'] as const)('npm start frees its port if %s ends npm', async (signal) => {
    const { child, url } = await listening('npm', ['start']);
    await end(child, signal);
    await expectDown(url);
  });

  test('npm start ends with npm if a shell waits for it', async () => {
    const shell = ['start', '--script-shell', join(import.meta.dirname, 'waiting-shell.sh')];
    const { child, url } = await listening('npm', shell);
    await end(child, 'SIGKILL');
    await expectDown(url);
  });

  test('npm start continues while npm lives, even after the shell has ended', async () => {
    const { child, url } = await listening('sh', ['-c', 'nohup npm start & wait']);
    await end(child, 'SIGKILL');
    await looks();
    expect(await isUp(url)).toBe(true);
  });

  test.each([
    ['without npm', {}],
    [
      'in another script of npm',
      { npm_lifecycle_event: 'test', npm_package_json: join(ROOT, 'package.json') },
    ],
    ['in another package', { npm_lifecycle_event: 'start', npm_package_json: '/other/package.json' }],
  ])('the service continues after its parent has ended if started %s', async (_how, environment) => {
    const command = `"${process.execPath}" local/start.mjs & wait`;
    const { child, url } = await listening('sh', ['-c', command], environment);
    await end(child, 'SIGKILL');
    await looks();
    expect(await isUp(url)).toBe(true);
  });
});
