import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pathsOf, ROOT, withOwnServices } from '../conformance.ts';
import { BRIEF, differences } from '../sam/conformance/differences.ts';
import { type Ended, entriesOf, verdictOf } from '../sam/conformance/verdict.ts';

const ended = (name: string, status: string, file = 'a.test.ts'): Ended => ({ file, name, status });
const list = (...names: (string | RegExp)[]) => [{ because: 'SAM cannot', tests: { 'a.test.ts': names } }];

test('passed tests are counted, and others are listed or unexpected', () => {
  expect(verdictOf([ended('one', 'passed'), ended('two', 'failed')], list('two'))).toEqual({
    passed: 1,
    listed: 1,
    unexpected: [],
    stale: [],
  });
  expect(verdictOf([ended('two', 'failed', 'b.test.ts')], list('two'))).toMatchObject({
    unexpected: [{ title: 'b.test.ts › two' }],
    stale: ['a.test.ts › two'],
  });
});

test('a skipped test did not pass', () => {
  expect(verdictOf([ended('one', 'pending')], [])).toMatchObject({
    unexpected: [{ title: 'a.test.ts › one' }],
  });
  expect(verdictOf([ended('one', 'pending')], list('one'))).toMatchObject({ listed: 1, stale: [] });
});

test('an entry is stale if its test passes or does not exist', () => {
  expect(verdictOf([ended('one', 'passed')], list('one', 'gone')).stale).toEqual([
    'a.test.ts › one',
    'a.test.ts › gone',
  ]);
});

test('a pattern covers several tests, none of which may pass', () => {
  const two = (second: string) => [ended('GET one', 'failed'), ended('GET two', second)];
  expect(verdictOf(two('failed'), list(/^GET /))).toMatchObject({ listed: 2, unexpected: [], stale: [] });
  expect(verdictOf(two('passed'), list(/^GET /))).toMatchObject({ stale: ['a.test.ts › /^GET /'] });
  expect(verdictOf(two('failed'), list(/^PUT /))).toMatchObject({ stale: ['a.test.ts › /^PUT /'] });
});

test('two tests of one name count as failed if one fails, and as stale if one passes', () => {
  const both = [ended('one', 'passed'), ended('one', 'failed')];
  expect(verdictOf(both, [])).toMatchObject({ passed: 1, unexpected: [{ title: 'a.test.ts › one' }] });
  expect(verdictOf(both, list('one'))).toMatchObject({ stale: ['a.test.ts › one'] });
});

const SUITE = join(import.meta.dirname, '../../test/conformance');

test('a run leaves out files that start services of their own, and --brief names others that exist', () => {
  const own = withOwnServices();
  expect(own).toContain('test/conformance/access/sign-in.test.ts');
  expect(own).not.toContain('test/conformance/resources/members.test.ts');
  expect(pathsOf(BRIEF).filter((path) => own.includes(path) || !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the list names existing files, each test once and with a reason', () => {
  const entries = entriesOf(differences);
  expect(entries.filter(({ file }) => !existsSync(join(SUITE, file)))).toEqual([]);
  expect(differences.filter(({ because }) => because.length < 20)).toEqual([]);
  const titles = entries.map(({ file, name }) => `${file} › ${name}`);
  expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
});
