import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../../test/support/service/command.ts';
import type { Given, Part } from '../part.ts';
import { pathOf, type Tool } from '../tools.ts';

const MIB = 1024 * 1024;

/** A program that downloads. It either resumes a download or downloads several pieces at the same time. */
interface Downloader {
  readonly name: string;
  readonly tool: Tool;
  readonly way: 'resumed' | 'pieces' | 'whole';
  /** Its arguments, with `PATH` and `URL` for the file and its address. */
  readonly args: string;
}

/** The programs. Each one logs the header fields of its responses. */
const DOWNLOADERS: readonly Downloader[] = [
  { name: 'curl -C -', tool: 'curl', way: 'resumed', args: '-sSvL -C - -o PATH URL' },
  { name: 'wget -c', tool: 'wget', way: 'resumed', args: '-cS -O PATH URL' },
  {
    name: 'http --continue',
    tool: 'http',
    way: 'resumed',
    args: '--ignore-stdin --follow --all --headers --download --continue -o PATH URL',
  },
  {
    name: 'aria2c -x8 -s8',
    tool: 'aria2c',
    way: 'pieces',
    // The limit slows down the first connection, so that it does not finish before the others start.
    args: '-x8 -s8 -k1M --max-download-limit=8M --log=- --log-level=info -d / -o PATH URL',
  },
  {
    name: 'rclone copyurl',
    tool: 'rclone',
    way: 'whole',
    args: '--config= -vv --dump=headers --ignore-times copyurl URL PATH',
  },
];

const argsOf = (args: string, url: string, path: string): string[] =>
  args.split(' ').map((one) => ({ URL: url, PATH: path })[one] ?? one);

/** Checks resumed downloads and downloads in eight pieces, by common programs. */
export const part: Part = {
  about: 'downloads, resumed and in pieces',
  needs: ['curl', 'wget', 'http', 'aria2c', 'rclone'],
  run: async (given) => {
    const small = randomBytes(3.5 * MIB);
    const { status } = await given.service.client('PUT', '/files/small.bin', { body: small });
    assert.equal(status, 201);
    await downloaded(given, 'small.bin', small);
    const large = randomBytes(20 * MIB);
    await given.service.storeLarge('large.bin', large);
    await downloaded(given, 'large.bin', large);
    await finished(given, 'small.bin', small);
  },
};

async function downloaded({ service, check }: Given, filename: string, bytes: Buffer): Promise<void> {
  const url = `${service.url}/files/${filename}`;
  const size = `${bytes.length / MIB} MiB`;
  for (const { name, tool, way, args } of DOWNLOADERS) {
    await check(`${name}, ${size}`, async () => {
      const path = join(service.folder, `${tool}-${filename}`);
      const begun = way === 'resumed' ? Math.floor(bytes.length / 3) : 0;
      if (begun > 0) await writeFile(path, bytes.subarray(0, begun));
      const { code, log } = await command(pathOf(tool), argsOf(args, url, path), { cwd: service.folder });
      assert.equal(code, 0, log.slice(-2000));
      assert.equal(digest(await readFile(path)), digest(bytes), 'Other bytes arrived');
      if (begun > 0) assert.deepEqual(partial(log), [bytes.length - begun], log.slice(0, 4000));
      if (way === 'pieces') assert.ok(partial(log).length > 1, log.slice(0, 4000));
    });
  }
}

/** Resumes a complete download: the 416 shows that no bytes remain. */
async function finished({ service, check }: Given, filename: string, bytes: Buffer): Promise<void> {
  await check('wget -c of a finished file', async () => {
    const path = join(service.folder, 'finished');
    await writeFile(path, bytes);
    const { code, log } = await command(
      pathOf('wget'),
      argsOf('-cS -O PATH URL', `${service.url}/files/${filename}`, path),
    );
    assert.equal(code, 0, log);
    assert.match(log, /HTTP\/1\.1 416 /);
    assert.match(log, /nothing to do/);
    assert.equal(digest(await readFile(path)), digest(bytes));
  });
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The number of bytes in each 206 of a log. */
const partial = (log: string): number[] =>
  [...log.matchAll(/HTTP\/1\.1 206 [\s\S]*?Content-Length: (\d+)/gi)].map(([, length]) => Number(length));
