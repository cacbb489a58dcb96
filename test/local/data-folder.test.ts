import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { dataFault } from 'embedded-aws';
import { run } from '../support/service/service.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'resource-api-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const inside = (name: string) => join(directory, name);

/** Starts the service, and stops it if it listens. Returns its output. */
async function started(): Promise<{ isUp: boolean; code: number | null; output: string }> {
  const service = await run({ directory });
  const isUp = service.url !== undefined;
  const code = isUp
    ? await service.stop()
    : await service.ended.then((ended) => (ended as [number | null])[0]);
  return { isUp, code, output: service.output() };
}

// Specification 14.1
describe('npm start ends with one sentence', () => {
  test.each([
    ['credentials is a folder', () => mkdirSync(inside('credentials')), 'credentials is a folder in place'],
    [
      'objects is a file',
      () => writeFileSync(inside('objects'), ''),
      'objects is a folder in place of a file',
    ],
    ['the lock is a folder', () => mkdirSync(inside('lock.sqlite')), 'lock.sqlite cannot be opened'],
    ['the lock is garbage', () => garbage('lock.sqlite'), 'lock.sqlite is damaged'],
    [
      'the database is a folder',
      () => mkdirSync(inside('engines.sqlite')),
      'engines.sqlite cannot be opened',
    ],
    ['the database is garbage', () => garbage('engines.sqlite'), 'engines.sqlite is damaged'],
  ])('if %s', async (_, prepare, sentence) => {
    prepare();
    const { isUp, code, output } = await started();
    expect([isUp, code, output.trim().split('\n').length]).toEqual([false, 1, 1]);
    expect(output).toContain(join(directory, sentence));
    expect(output).toContain('choose another folder with DATA_DIR');
  });

  const garbage = (name: string) => writeFileSync(inside(name), 'garbage'.repeat(2000));
});

// Specification 14.1
test('npm start refuses an emptied database, keeps the files, and serves a restored one', async () => {
  expect((await started()).isUp).toBe(true);
  copyFileSync(inside('engines.sqlite'), inside('backup'));
  const files = readdirSync(inside('objects'));
  writeFileSync(inside('engines.sqlite'), '');
  const { isUp, code, output } = await started();
  expect([isUp, code]).toEqual([false, 1]);
  expect(output).toContain(`${directory} has files, but its engines.sqlite is empty: restore engines.sqlite`);
  expect(readdirSync(inside('objects'))).toEqual(files);
  copyFileSync(inside('backup'), inside('engines.sqlite'));
  expect((await started()).isUp).toBe(true);
}, 60_000);

// Specification 14.1
test('npm start refuses lost objects, keeps the database and strange files, and serves restored ones', async () => {
  expect((await started()).isUp).toBe(true);
  const files = readdirSync(inside('objects'));
  renameSync(inside('objects'), inside('moved'));
  mkdirSync(inside('objects'));
  writeFileSync(inside('objects/of-another-backup'), 'bytes');
  const { isUp, code, output } = await started();
  expect([isUp, code, output.trim().split('\n').length]).toEqual([false, 1, 1]);
  expect(output).toContain(
    `${directory} has lost its objects: engines.sqlite names ${files.length} of their files, and the folder objects has none of them. Restore the folder objects`,
  );
  expect(readdirSync(inside('objects'))).toEqual(['of-another-backup']);
  rmSync(inside('objects'), { recursive: true });
  renameSync(inside('moved'), inside('objects'));
  expect((await started()).isUp).toBe(true);
}, 60_000);

test('npm start moves complete files that no object names, and removes incomplete ones', async () => {
  mkdirSync(inside('objects'));
  expect((await started()).isUp).toBe(true);
  writeFileSync(inside('objects/of-no-object'), 'bytes');
  writeFileSync(inside('objects/of-no-upload.incomplete'), 'by');
  expect((await started()).isUp).toBe(true);
  expect(readdirSync(inside('unnamed'))).toEqual(['of-no-object']);
  expect(statSync(inside('unnamed/of-no-object')).size).toBe(5);
  expect(readdirSync(inside('objects'))).not.toContain('of-no-upload.incomplete');
}, 60_000);

const failure = (more: object) => Object.assign(new Error('failed'), more);

test.each([
  ['a full disk', { code: 'ENOSPC', path: '/d/shards' }, 'The disk of /d/shards is full: free some space'],
  ['a full disk under SQLite', { errcode: 13 }, 'The disk of /d is full: free some space'],
  [
    'an error of the disk under SQLite',
    { errcode: 778 },
    'The disk of /d is full or faulty: free some space, check it',
  ],
  [
    'a disk that is read-only',
    { code: 'EROFS', path: '/d/begun' },
    '/d/begun is read-only: make it writable',
  ],
  [
    'a folder that a read-only disk cannot have',
    { code: 'ENOENT', path: '/d' },
    '/d cannot be created: make its folder and disk writable',
  ],
  ['a database that is read-only', { errcode: 1032 }, '/d is read-only: make it writable'],
  [
    'missing rights',
    { code: 'EACCES', path: '/d' },
    'This user may not read and write /d: change its rights',
  ],
  ['a damaged database', { errcode: 11 }, '/d is damaged: restore it from a backup'],
])('the sentence about %s says what to do', (_, error, sentence) => {
  expect(dataFault(failure(error), '/d')).toBe(`${sentence}, or choose another folder with DATA_DIR.`);
});

test('another error has no such sentence', () => {
  for (const error of [failure({}), failure({ code: 'ECONNREFUSED' }), 'text'])
    expect(dataFault(error, '/d')).toBeUndefined();
});
