import { createHash } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Observer } from '../observer.ts';
import { type CrashedRequest, LATER, type Writer } from '../sent-request.ts';

const digest = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;
const later = (writer: Writer) => (writer.chance(0.5) ? LATER : {});
const bytesOf = (writer: Writer, text: string) => Buffer.from(`${text} `.repeat(writer.whole(1, 9000)));

/** The digest of a file as it is served and as it is listed. Both are the same. */
async function stored(
  world: Observer,
  rows: ReadonlyMap<unknown, unknown>,
  name: string,
): Promise<string | undefined> {
  const { status, bytes } = await world.client('GET', `/files/${name}`);
  const found = status === 404 ? undefined : digest(bytes);
  expect([name, rows.get(name)]).toEqual([name, found]);
  return found;
}

const rowsOf = async (world: Observer) =>
  new Map((await world.all('/files?limit=1000')).map((row) => [row.filename as unknown, row.digest]));

/**
 * Requests store, replace and possibly remove a file, some of them deferred: the file is whole and one of the
 * versions.
 */
export async function file(writer: Writer, tag: string): Promise<void> {
  const name = `file-${tag}`;
  const contents: { readonly digest: string | undefined; deed?: CrashedRequest }[] = [];
  writer.verify(async (world) => {
    const found = await stored(world, await rowsOf(world), name);
    const fates = contents.map(({ deed }) => (deed ? world.fate(deed) : 'unknown'));
    const possible = contents.filter((_, at) => fates[at] !== 'not').map((one) => one.digest);
    if (!fates.includes('done')) possible.push(undefined);
    expect({ name, found, fits: possible.includes(found) }).toMatchObject({ fits: true });
  });
  const write = async (content: string | undefined, send: () => Promise<CrashedRequest>) => {
    const one: (typeof contents)[number] = { digest: content };
    contents.push(one);
    one.deed = await send();
  };
  for (let turn = writer.whole(1, 3); turn > 0; turn -= 1) {
    const body = bytesOf(writer, `${tag}.${turn}`);
    await write(digest(body), () => writer.send('PUT', `/files/${name}`, { body, headers: later(writer) }));
    if (writer.chance(0.2)) await writer.cancel(contents.at(-1)?.deed as CrashedRequest);
  }
  if (writer.chance(0.4))
    await write(undefined, () =>
      writer.send('DELETE', `/files/${name}`, { headers: later(writer) }, ['not-found']),
    );
}

/** One request stores several files: whole files, and all of them once after success. */
export async function filesAtOnce(writer: Writer, tag: string): Promise<void> {
  const files = Array.from({ length: writer.whole(2, 8) }, (_, at) => ({
    filename: `files-${tag}-${at}`,
    bytes: bytesOf(writer, `${tag}.${at}`),
  }));
  let deed: CrashedRequest | undefined;
  writer.verify(async (world) => {
    const rows = await rowsOf(world);
    for (const { filename, bytes } of files) {
      const found = await stored(world, rows, filename);
      expect([undefined, digest(bytes)]).toContain(found);
      if (deed && world.fate(deed) === 'done') expect([filename, found]).toEqual([filename, digest(bytes)]);
    }
  });
  const json = files.map(({ filename, bytes }) => ({
    filename,
    content: bytes.toString('base64'),
    encoding: 'base64',
  }));
  const headers = { ...later(writer), ...(writer.chance(0.5) ? { 'Idempotency-Key': tag } : {}) };
  deed = await writer.send('POST', '/files', { json, headers });
  if (writer.chance(0.2)) await writer.cancel(deed);
}
