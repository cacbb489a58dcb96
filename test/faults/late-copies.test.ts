import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  type EngineRequest,
  type EngineResponse,
  type Engines,
  inProcess,
  listen,
  openEngines,
  type Slow,
} from 'embedded-aws';
import { provision, variables } from '../../local/provision/provision.ts';
import { registry } from '../../service/registry.ts';
import { configureClients, TIMEOUTS } from '../../shared/aws/clients/client.ts';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { Objects } from '../../shared/files/objects.ts';
import { publish, type Verified } from '../../shared/files/uploads/publish.ts';
import { verify } from '../../shared/files/uploads/verify.ts';
import type { EntityTag } from '../../shared/http/conditional/entity-tag.ts';
import { overSockets } from './sockets.ts';

/** The time of S3 to respond, in ms. Other calls than copies have a time-out of 3 s. */
const LATE = { copy: 6000, completion: 10_000, piece: 500 };

const MIB = 1024 * 1024;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
const directory = mkdtempSync(join(tmpdir(), 'resource-api-late-'));
const staged = new Objects('uploads/');
const files = new Objects('files/');

let engines: Engines;
let listener: Awaited<ReturnType<typeof listen>>;
const slow: Record<keyof Slow, number> = {
  CopyObject: 0,
  UploadPartCopy: 0,
  CompleteMultipartUpload: 0,
  GetObject: 0,
};
/** The copies and completions that arrived. */
let arrivals: string[] = [];
/** The errors that S3 sends in place of the next completions, after the status 200. */
let errors: { code: string; ms: number }[] = [];

const isCompletion = ({ method, query }: EngineRequest) => method === 'POST' && query.includes('uploadId=');

/** The engines, with a record of copies and with errors after the status 200. */
async function dispatch(request: EngineRequest): Promise<EngineResponse> {
  if (request.headers['x-amz-copy-source'] !== undefined)
    arrivals.push(/partNumber=\d+/.exec(request.query)?.[0] ?? 'copy');
  if (!isCompletion(request)) return engines.dispatch(request);
  arrivals.push('complete');
  const error = errors.shift();
  if (!error) return engines.dispatch(request);
  await later(error.ms);
  const body = Buffer.from(`<Error><Code>${error.code}</Code><Message>Try again</Message></Error>`);
  return { status: 200, headers: { 'content-type': 'application/xml' }, body };
}

beforeAll(async () => {
  engines = openEngines({ directory, credentials, slow });
  const near = { requestHandler: inProcess(engines), credentials, region: 'us-east-1' };
  configureClients(near as Parameters<typeof configureClients>[0]);
  Object.assign(process.env, variables(registry));
  await provision(registry, new SQSClient(near as NonNullable<ConstructorParameters<typeof SQSClient>[0]>));
  listener = await listen({ ...engines, dispatch }, { host: '127.0.0.1', port: 0 });
  process.env.AWS_ENDPOINT_URL_S3 = listener.url;
  configureClients({ ...near, requestHandler: overSockets(TIMEOUTS.requestTimeout) } as Parameters<
    typeof configureClients
  >[0]);
});
afterAll(async () => {
  s3().destroy();
  await listener.close();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  arrivals = [];
  errors = [];
  slow.CopyObject = LATE.copy;
  slow.UploadPartCopy = LATE.copy;
  slow.CompleteMultipartUpload = 0;
  slow.GetObject = LATE.piece;
});

/** Sends bytes for an operation. Returns their verified properties. */
async function arrived(operation: number, name: string, bytes: Buffer): Promise<Verified> {
  const key = `${operation}/0`;
  await s3().send(new PutObjectCommand({ ...staged.address(key), Body: bytes, ContentType: 'a/b' }));
  const facts = (await staged.head(key)) as { etag: EntityTag; lastModified: number };
  return {
    operation,
    at: 0,
    etag: facts.etag,
    time: facts.lastModified,
    file: { name, size: bytes.length, mediaType: 'a/b' },
    expected: undefined,
    isWanted: async () => true,
    deadline: Date.now() + 60_000,
  };
}

/** The same for a copy in three parts. */
async function arrivedInParts(operation: number, name: string): Promise<Verified> {
  const verified = await arrived(operation, name, randomBytes(11 * MIB));
  const Metadata = { operation: String(operation), file: '0' };
  const begun = new CreateMultipartUploadCommand({ ...files.address(name), Metadata });
  const { UploadId: copyId } = await s3().send(begun);
  return { ...verified, file: { ...verified.file, copyId, copyPartSize: 5 * MIB } };
}

const PARTS = ['partNumber=1', 'partNumber=2', 'partNumber=3'];

test('the service copies a file once if S3 responds to the copy after 6 s', async () => {
  const verified = await arrived(1, 'late-whole', Buffer.from('bytes'));
  expect(await publish({ staged, files }, verified)).toBe('new');
  expect(arrivals).toEqual(['copy']);
  expect(await files.head('late-whole')).toMatchObject({ size: 5, mediaType: 'a/b' });
});

test('the service copies each part once if S3 responds to each after 6 s', async () => {
  const verified = await arrivedInParts(2, 'late-parts');
  expect(await publish({ staged, files }, verified)).toBe('new');
  expect([...arrivals].sort()).toEqual(['complete', ...PARTS]);
  expect(await files.head('late-parts')).toMatchObject({ size: 11 * MIB });
}, 60_000);

test('the service completes a copy again if S3 sends an error 10 s after the status 200', async () => {
  slow.UploadPartCopy = 0;
  const verified = await arrivedInParts(3, 'late-error');
  errors = [{ code: 'InternalError', ms: LATE.completion }];
  expect(await publish({ staged, files }, verified)).toBe('new');
  expect([...arrivals].sort()).toEqual(['complete', 'complete', ...PARTS]);
  expect(await files.head('late-error')).toMatchObject({ size: 11 * MIB });
}, 60_000);

test('the service reports a failed precondition if S3 sends this error after the status 200', async () => {
  slow.UploadPartCopy = 0;
  const verified = await arrivedInParts(4, 'late-lost');
  errors = Array.from({ length: 3 }, () => ({ code: 'PreconditionFailed', ms: 0 }));
  expect(await publish({ staged, files }, { ...verified, expected: { kind: 'absent' } })).toBe('lost');
}, 60_000);

test('the service abandons a copy at the end of its run, and the next run recognizes the finished copy', async () => {
  slow.CopyObject = 1000;
  const verified = await arrived(5, 'late-end', Buffer.from('bytes'));
  const short = { ...verified, deadline: Date.now() + slow.CopyObject / 2 };
  await expect(publish({ staged, files }, short)).rejects.toMatchObject({ name: 'Unavailable' });
  expect(await publish({ staged, files }, verified)).toBe('before');
  expect(arrivals).toEqual(['copy']);
});

test('the service stops a digest at the end of its run, and the next run computes it', async () => {
  const bytes = randomBytes(40 * MIB);
  const { file, etag, time } = await arrived(6, 'late-digest', bytes);
  const facts = { etag, size: bytes.length, lastModified: time, mediaType: 'a/b' };
  const sha256 = createHash('sha256').update(bytes).digest('base64');
  const verified = (ms: number) => verify(staged, '6/0', facts, { ...file, sha256 }, Date.now() + ms);
  await expect(verified(2 * LATE.piece)).rejects.toMatchObject({ name: 'Unavailable' });
  expect(await verified(60_000)).toEqual({ kind: 'valid' });
});
