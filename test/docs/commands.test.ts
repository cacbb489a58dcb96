import { execSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { atLeastOne } from '../support/expectations/at-least-one.ts';

const root = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>;
};
/** The commands of `npm run tool` and `npm run lab`, such as `lab -- sam start`, from their own lists. */
const commands = ['tool', 'lab'].flatMap((script) =>
  execSync(scripts[script] ?? '', { cwd: root, encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => /^ {2}((?:[a-z-]+ )+)/.exec(line)?.[1]?.trim() ?? [])
    .map((name) => `${script} -- ${name}`),
);

// The specification names commands that later issues add.
const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (path) =>
    /^(?:[A-Z]+|(?:docs|engines|examples|lab)[/\\].*)\.md$/.test(path) &&
    !/node_modules|specification/.test(path),
);

test.each(pages)('every npm script and command that %s names exists', (page) => {
  const text = readFileSync(join(root, page), 'utf8');
  const named = [...text.matchAll(/npm run (?:-s |--silent )?([a-z:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
  const called = [...text.matchAll(/npm run ((?:tool|lab) -- (?:sam )?[a-z-]+)/g)].map(
    ([, name = '']) => name,
  );
  expect(called.filter((name) => !commands.includes(name))).toEqual([]);
});

test('the lists of commands are not empty', () => {
  expect(commands).toEqual(expect.arrayContaining(['tool -- smoke', 'lab -- sam conformance']));
});

/** It deploys the example service, with its laboratory. */
const OF_THE_REPOSITORY = 'tool -- first-deployment';

test('the package has every command of operators', () => {
  const list = execSync('node tools/command/bin.ts', { cwd: root, encoding: 'utf8' });
  const tools = commands.filter((name) => name.startsWith('tool -- ') && name !== OF_THE_REPOSITORY);
  for (const name of atLeastOne(tools)) expect(list).toContain(`\n  ${name.replace('tool -- ', '')}`);
});
