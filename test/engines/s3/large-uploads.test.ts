import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import {
  CompleteMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { names } from '../../../local/provision/names.ts';
import { type RunningEngines, runningEngines } from '../../../local/running.ts';
import { clientOf } from '../../support/client/client.ts';
import type { UploadLinks } from '../../support/client/uploads.ts';
import { run, temporary } from '../../support/service/service.ts';
import { describeUnless } from '../../support/skips/describe-unless.ts';

/** Kills end these engines together with the service. */
const EMBEDDED = {
  AWS_ENDPOINT_URL_DYNAMODB: '',
  AWS_ENDPOINT_URL_S3: '',
  AWS_ENDPOINT_URL_SQS: '',
  STACK_NAME: '',
};

const MIB = 1024 * 1024;
/** The size of the upload. */
const SIZE_MIB = Number(process.env.UPLOAD_MIB ?? 192);

/** MiB that a process holds in memory. Source: proc(5), /proc/pid/status. */
const memoryOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const piece = randomBytes(MIB);
/** Blocks of one MiB, each different. */
function bytesOf(at: number): Buffer {
  piece.writeUInt32BE(at);
  return piece;
}

async function sendPart(link: UploadLinks['parts'][number], first: number): Promise<string> {
  const pieces = function* () {
    for (let at = 0; at < link.size / MIB; at += 1) yield Buffer.from(bytesOf(first + at));
  };
  const answer = await fetch(link.href, {
    method: 'PUT',
    headers: { 'content-length': String(link.size) },
    body: ReadableStream.from(pieces()),
    duplex: 'half',
  } as RequestInit);
  expect(answer.status).toBe(200);
  return `<Part><PartNumber>${link.partNumber}</PartNumber><ETag>${answer.headers.get('etag')}</ETag></Part>`;
}

// Only Linux shows the memory of another process.
const elsewhere = process.platform === 'linux' ? undefined : 'needs /proc of Linux for the memory';

describeUnless(elsewhere, 'an upload of a large file', () => {
  test(`${SIZE_MIB} MiB go through, their digest verified, in memory that does not grow with them`, async () => {
    const { directory, remove } = await temporary();
    const running = await run({ directory, environment: EMBEDDED });
    try {
      const client = clientOf(running.url ?? '');
      await client('GET', '/files');
      const before = memoryOf(running.pid);
      let most = before;
      const watching = setInterval(() => {
        most = Math.max(most, memoryOf(running.pid));
      }, 20);
      const hash = createHash('sha256');
      for (let at = 0; at < SIZE_MIB; at += 1) hash.update(bytesOf(at));
      const digest = `sha-256=:${hash.digest('base64')}:`;
      const json = { filename: 'large.bin', size: SIZE_MIB * MIB, digest };
      const answer = await client('POST', '/files', { json });
      expect(answer.status).toBe(202);
      const [link] = answer.json().uploads as UploadLinks[];
      const begun = performance.now();
      const parts: string[] = [];
      for (const part of link?.parts ?? [])
        parts.push(await sendPart(part, (((part.partNumber ?? 1) - 1) * (link?.partSize ?? 0)) / MIB));
      const sent = performance.now();
      const whole = await fetch(link?.complete.href ?? '', {
        method: 'POST',
        headers: link?.complete.headers as Record<string, string>,
        body: `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`,
      });
      expect(whole.status).toBe(200);
      let status = 200;
      while (status === 200) {
        await new Promise((later) => setTimeout(later, 50));
        ({ status } = await client('GET', answer.headers.location ?? ''));
      }
      const verified = performance.now();
      expect(status).toBe(303);
      const [row] = (await client('GET', '/files')).json().items;
      expect(row).toMatchObject({ filename: 'large.bin', size: SIZE_MIB * MIB, digest });
      const received = createHash('sha256');
      const got = await fetch((await client('GET', '/files/large.bin')).headers.location ?? '');
      for await (const chunk of got.body as unknown as AsyncIterable<Uint8Array>) received.update(chunk);
      expect(`sha-256=:${received.digest('base64')}:`).toBe(digest);
      clearInterval(watching);
      const rate = (ms: number) => `${Math.round((SIZE_MIB * 1000) / ms)} MiB/s`;
      if (process.env.UPLOAD_MIB)
        process.stderr.write(
          `${SIZE_MIB} MiB: sent ${rate(sent - begun)}, verified ${rate(verified - sent)}, read ${rate(
            performance.now() - verified,
          )}, memory ${Math.round(before)} to ${Math.round(most)} MiB\n`,
        );
      expect(most - before).toBeLessThan(200);
    } finally {
      await running.stop();
      await remove();
    }
  }, 600_000);
});

test('leaves nothing half if the service is killed during a part, and continues after the restart', async () => {
  const { directory, remove } = await temporary();
  const first = await run({ directory, environment: EMBEDDED });
  const json = { filename: 'killed.bin', size: 65 * MIB };
  const answer = await clientOf(first.url ?? '')('POST', '/files', { json });
  const [link] = answer.json().uploads as UploadLinks[];
  await sendPart(link?.parts[0] as UploadLinks['parts'][0], 0);
  const files = () => readdirSync(join(directory, 'objects')).length;
  const complete = files();
  // The process dies after half of the second part.
  const half = request(link?.parts[1]?.href ?? '', {
    method: 'PUT',
    headers: { 'content-length': link?.partSize },
  });
  half.on('error', () => undefined);
  half.write(piece);
  while (files() === complete) await new Promise((later) => setTimeout(later, 5));
  await first.stop('SIGKILL');

  const second = await run({ directory, environment: EMBEDDED });
  // The new key pair of this start invalidates the old links.
  const { client: s3, close } = engineClient(directory);
  try {
    const client = clientOf(second.url ?? '');
    expect(files()).toBe(complete);
    expect((await client('GET', '/files/killed.bin')).status).toBe(404);
    const { pathname, searchParams } = new URL(link?.sent.href ?? '');
    const upload = {
      Bucket: names.bucket,
      Key: pathname.slice(`/${names.bucket}/`.length),
      UploadId: searchParams.get('uploadId') as string,
    };
    const { Parts = [] } = await s3.send(new ListPartsCommand(upload));
    expect(Parts.map(({ PartNumber }) => PartNumber)).toEqual([1]);
    const parts = Parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag }));
    for (const { partNumber: PartNumber, size } of link?.parts.slice(1) ?? []) {
      const { ETag } = await s3.send(
        new UploadPartCommand({ ...upload, PartNumber, Body: Buffer.alloc(size, `${PartNumber}`) }),
      );
      parts.push({ PartNumber, ETag });
    }
    await s3.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }));
    let status = 200;
    for (let tries = 0; status === 200 && tries < 400; tries += 1) {
      await new Promise((later) => setTimeout(later, 100));
      ({ status } = await client('GET', answer.headers.location ?? ''));
    }
    expect(status).toBe(303);
  } finally {
    close();
    await second.stop();
    await remove();
  }
}, 60_000);

/** A client of the engines of a running service. */
function engineClient(directory: string) {
  const { url: endpoint, credentials } = runningEngines({ DATA_DIR: directory }) as RunningEngines;
  const client = new S3Client({
    endpoint,
    credentials,
    region: 'us-east-1',
    forcePathStyle: true,
    maxAttempts: 1,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return { client, close: () => client.destroy() };
}

test('completes if the service is killed right after the file appears, before or after its row', async () => {
  const { directory, remove } = await temporary();
  let running = await run({ directory, environment: EMBEDDED });
  try {
    for (let round = 0; round < 3; round += 1) {
      const name = `appears-${round}.bin`;
      const json = { filename: name, size: MIB };
      const headers = { 'If-None-Match': '*' };
      const answer = await clientOf(running.url ?? '')('POST', '/files', { json, headers });
      const [link] = answer.json().uploads as UploadLinks[];
      const bytes = Buffer.from(bytesOf(round));
      const put = { method: 'PUT', headers: link?.headers as Record<string, string>, body: bytes };
      expect((await fetch(link?.href ?? '', put)).status).toBe(200);
      const { client, close } = engineClient(directory);
      const there = () =>
        client.send(new HeadObjectCommand({ Bucket: names.bucket, Key: `files/${name}` })).then(
          () => true,
          () => false,
        );
      while (!(await there()));
      await running.stop('SIGKILL');
      close();
      running = await run({ directory, environment: EMBEDDED });
      const after = clientOf(running.url ?? '');
      let status = 200;
      for (let tries = 0; status === 200 && tries < 400; tries += 1) {
        ({ status } = await after('GET', answer.headers.location ?? ''));
        await new Promise((later) => setTimeout(later, 50));
      }
      expect(status).toBe(303);
      expect((await after('GET', '/files')).json().items).toContainEqual(
        expect.objectContaining({ filename: name, size: MIB }),
      );
      expect((await after('GET', `/files/${name}`)).bytes.equals(bytes)).toBe(true);
    }
  } finally {
    await running.stop();
    await remove();
  }
}, 60_000);
