import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import type { Bundle } from '../../../infra/bundle/bundle.ts';
import { command } from '../../support/service/command.ts';
import { ALL, bundlesOf } from '../bundles.ts';

/** `npm run tool -- trace` leads from the stack trace of a deployed function to the sources. */

const ROOT = join(import.meta.dirname, '../../..');
const bundles = await bundlesOf();
const directoryOf = (name: string): string => (bundles.get(name) as Bundle).directory;
const mapsOf = (name: string): string => join(dirname(directoryOf(name)), '.maps');

/** Calls each handler without an event in another process, and prints the stack trace as Lambda would. */
const CALLS = `
const directories = JSON.parse(process.argv[1]);
(async () => {
  const stacks = {};
  for (const [name, directory] of Object.entries(directories))
    try {
      await require(directory + '/index.js').handler(null, {});
    } catch (error) {
      stacks[name] = error.stack.replaceAll(directory, '/var/task');
    }
  process.stdout.write(JSON.stringify(stacks));
  process.exit();
})();`;

const trace = (...args: readonly string[]) =>
  command(process.execPath, ['tools/main.ts', 'trace', ...args], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
  });

const directories = Object.fromEntries(ALL.map((name) => [name, directoryOf(name)]));
const { stdout } = await promisify(execFile)(process.execPath, ['-e', CALLS, JSON.stringify(directories)], {
  env: { PATH: process.env.PATH, AWS_REGION: 'us-east-1' },
});
const stacks: Readonly<Record<string, string>> = JSON.parse(stdout);

test.each(ALL)('an error in the function %s leads to its line of the source', async (name) => {
  const file = join(process.env.TEST_RUN as string, `trace-of-${name}.txt`);
  // A line of a log is JSON, too.
  await writeFile(file, JSON.stringify({ level: 'error', stack: stacks[name] }));
  const { code, log } = await trace(name, file, '--maps', mapsOf(name));
  expect({ code, log }).toMatchObject({ code: 0, log: expect.not.stringContaining('/var/task/') });
  // The bundles of tests are elsewhere, so the path of the project comes before that of the source.
  const [, path = 'none'] =
    /at (?:[^()]*\()?\S*?((?:shared|functions|local)\/[\w./-]+\.ts):[1-9]\d*:[1-9]/.exec(log) ?? [];
  expect(existsSync(join(ROOT, path))).toBe(true);
});

test.each(ALL)('the function %s has no map in its asset', (name) => {
  expect(readdirSync(directoryOf(name)).filter((file) => !/\.(?:js|json)$/.test(file))).toEqual([]);
  expect(readdirSync(join(mapsOf(name), name))).toContain('index.js.map');
});

test.each([
  [[], 'trace FUNCTION [FILE]'],
  [['none'], 'There are no source maps of none'],
  [['../main'], 'trace FUNCTION [FILE]'],
])('refuses %j', async (args, says) => {
  expect(await trace(...args, '--maps', ROOT)).toMatchObject({
    code: 2,
    log: expect.stringContaining(says),
  });
});
