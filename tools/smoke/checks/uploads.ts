/** Checks an upload in parts by links that the client renews. */

import { createHash, randomBytes } from 'node:crypto';
import { type Check, check } from '../check.ts';
import { exchange, type SentRequest } from '../client.ts';
import { expectBytes, expectSame, expectStatus } from '../expect.ts';
import { BINARY, MIB, type Smoke } from '../smoke.ts';

/** The time of the service to verify and copy a GiB, in ms. */
const GIB_MS = 300_000;
const CLAIM =
  'A large file arrives in parts, by links that the client renewed in between, and has its digest';

interface Link {
  readonly method: string;
  readonly href: string;
  readonly headers?: SentRequest['headers'];
}

/** The upload links of a file in parts. Sizes in bytes. */
interface Links {
  readonly partSize: number;
  readonly parts: readonly (Link & { readonly partNumber: number; readonly size: number })[];
  readonly complete: Link;
}

/** Returns a check for each size in GiB. They send the whole files, so they run only if the caller names sizes. */
export const uploadsOf = (sizes: readonly number[]): readonly Check[] =>
  sizes.map((gib) => check('S16', CLAIM, (smoke) => upload(smoke, Math.round(gib * 1024))));

async function upload(smoke: Smoke, mib: number): Promise<string> {
  const filename = smoke.name(`${mib}-mib.bin`);
  const path = await smoke.file(`${mib}-mib.bin`);
  const bytes = bytesOf(randomBytes(MIB));
  const size = mib * MIB;
  const hash = createHash('sha256');
  for (let at = 0; at < mib; at += 1) hash.update(bytes(at, 1));
  const digest = `sha-256=:${hash.digest('base64')}:`;
  const json = { filename, size, contentType: BINARY['Content-Type'], digest };
  const accepted = expectStatus(await smoke.send('POST', '/files', { json }), 202);
  const operation = accepted.headers.location ?? '';
  const first = linksIn(accepted.json());
  const half = Math.ceil(first.parts.length / 2);
  const began = Date.now();
  const send = async ({ partSize, parts }: Links): Promise<string[]> => {
    const tags: string[] = [];
    for (const { partNumber, size: length, method, href } of parts) {
      const body = bytes(((partNumber - 1) * partSize) / MIB, length / MIB);
      const { headers } = expectStatus(await exchange(method, href, { body }), 200);
      tags.push(`<Part><PartNumber>${partNumber}</PartNumber><ETag>${headers.etag}</ETag></Part>`);
    }
    return tags;
  };
  const before = await send({ ...first, parts: first.parts.slice(0, half) });
  const renewed = linksIn(expectStatus(await smoke.follow('POST', `${operation}/links`), 202).json());
  const after = await send({ ...renewed, parts: renewed.parts.slice(half) });
  const { method, href, headers = {} } = renewed.complete;
  const body = `<CompleteMultipartUpload>${[...before, ...after].join('')}</CompleteMultipartUpload>`;
  expectStatus(await exchange(method, href, { headers, body }), 200);
  const sent = Date.now();
  expectStatus(await smoke.ended(operation, GIB_MS * Math.max(mib / 1024, 1)), 303);
  const { items } = expectStatus(await smoke.send('GET', `/files?filename=${filename}`), 200).json();
  const [row] = items as { size: number; digest: string }[];
  expectSame(row?.size, size, 'size');
  expectSame(row?.digest, digest, 'digest');
  const range = { headers: { Range: `bytes=${size - MIB}-` } };
  expectBytes(expectStatus(await smoke.send('GET', path, range), 206).bytes, bytes(mib - 1, 1));
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return `${mib} MiB in ${first.parts.length} parts: sent in ${seconds(sent - began)}, a file after ${seconds(Date.now() - sent)}`;
}

/** Content that is different in each MiB: `count` MiB from the one with the index `first`. */
const bytesOf =
  (piece: Buffer) =>
  (first: number, count: number): Buffer => {
    const pieces = Buffer.concat(Array.from({ length: count }, () => piece));
    for (let at = 0; at < count; at += 1) pieces.writeUInt32BE(first + at, at * MIB);
    return pieces;
  };

const linksIn = ({ uploads }: Readonly<Record<string, unknown>>): Links => {
  const [links] = uploads as readonly Links[];
  if (!links?.parts)
    throw new Error('The response has no links to parts: the file must have more than 64 MiB');
  return links;
};
