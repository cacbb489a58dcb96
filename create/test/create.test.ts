import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { command } from '../../test/support/service/command.ts';
import { NODE_PACKAGES, nodeAdvice, runsServices } from '../node.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'create-'));
});
afterAll(() => rm(directory, { recursive: true }));

const read = (...path: string[]) => JSON.parse(readFileSync(join(directory, ...path), 'utf8'));
const run = (code: string, cwd: string, env: NodeJS.ProcessEnv = {}) =>
  command(process.execPath, ['--input-type=module', '--eval', code], {
    cwd,
    env: { ...process.env, npm_node_execpath: process.execPath, ...env },
    limitMs: 20_000,
  });
const DOOR = JSON.stringify(join(import.meta.dirname, '../index.ts'));

test('writes the files of a service beside those of its author, and replaces none', async () => {
  const cwd = join(directory, 'files');
  await mkdir(cwd);
  const scripts = { test: 'echo "Error: no test specified" && exit 1', start: 'node own.js' };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: '@acme/my shop', scripts }));
  writeFileSync(join(cwd, 'cdk.json'), '{}');
  const write = `(await import(${DOOR})).writeService(process.cwd())`;
  const { code, log } = await run(write, cwd);
  expect({ code, log: code === 0 ? '' : log }).toEqual({ code: 0, log: '' });
  expect(log).toContain('kept  cdk.json\nwrote cdk.ts\n');
  expect(read('files', 'package.json')).toEqual({
    name: '@acme/my shop',
    type: 'module',
    scripts: { start: 'node own.js', test: 'resource-api test', check: 'resource-api check' },
  });
  expect(readFileSync(join(cwd, 'cdk.ts'), 'utf8')).toContain("new ResourceApi(new App(), 'my-shop',");
  expect(readdirSync(cwd, { recursive: true }).filter((path) => /\.ts$/.test(String(path)))).toHaveLength(3);
  expect((await run(write, cwd)).log).toMatch(/^(?:kept .*\n)+npm start .*\n$/);
});

test('refuses a folder without package.json', async () => {
  const cwd = join(directory, 'empty');
  await mkdir(cwd);
  const ended = await run(`(await import(${DOOR})).writeService(process.cwd())`, cwd);
  expect(ended).toMatchObject({ code: 2, log: 'There is no package.json: run npm init -y first.\n' });
  expect(readdirSync(cwd)).toEqual([]);
});

test.each([
  [[], 2, /^npm create resource-api NAME\n/],
  [['a', 'b'], 2, /^npm create resource-api NAME\n/],
  [['--help'], 2, /^npm create resource-api NAME\n/],
  [['files'], 2, /^files has a package\.json already\./],
])('with the arguments %j, the command ends with %d', async (args, status, message) => {
  const bin = join(import.meta.dirname, '../bin.ts');
  const { code, log } = await command(process.execPath, [bin, ...args], { cwd: directory, limitMs: 20_000 });
  expect(code).toBe(status);
  expect(log).toMatch(message);
  expect(existsSync(join(directory, 'a'))).toBe(false);
});

test.each([
  ['v20.20.2', false],
  ['24.14.9', false],
  ['v24.15.0', true],
  ['26.0.0', true],
])('Node %s runs a service: %j', (version, expected) => {
  expect(runsServices(version)).toBe(expected);
  expect(nodeAdvice(version, 'linux', 'x64') === undefined).toBe(expected);
});

test('an older Node is named, with the package that brings a newer one or the page that has it', () => {
  expect(nodeAdvice('v20.20.2', 'win32', 'x64')).toMatch(
    /^This machine has Node 20\.20\.2, .* npm brings Node 24/,
  );
  expect(nodeAdvice('v20.20.2', 'darwin', 'arm64')).toMatch(
    /Install it before npm start: https:\/\/nodejs\.org/,
  );
});

test('the packages of Node are those of the repository', () => {
  const root = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  expect(NODE_PACKAGES).toEqual(root.optionalDependencies);
});
