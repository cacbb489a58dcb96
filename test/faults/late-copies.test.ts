import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateMultipartUploadCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Engines, openEngines } from '../../engines/engines.ts';
import { inProcess } from '../../engines/in-process.ts';
import { listen } from '../../engines/listener.ts';
import { registry } from '../../functions/registry.ts';
import { provision, variables } from '../../local/provision.ts';
import { s3 } from '../../shared/aws/s3.ts';
import { configureClients } from '../../shared/aws/settings.ts';
import { Objects } from '../../shared/files/objects.ts';
import { publish, type Verified } from '../../shared/files/uploads/publish.ts';
import type { EntityTag } from '../../shared/http/conditional/entity-tag.ts';
import { overSockets } from './sockets.ts';

/** Milliseconds: the clients' response time-out, and the time of S3 to respond to a copy. */
const PATIENCE = 700;
const LATE = 1500;

const MIB = 1024 * 1024;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local-secret' };
const directory = mkdtempSync(join(tmpdir(), 'resource-api-late-'));
const staged = new Objects('uploads/');
const files = new Objects('files/');

let engines: Engines;
let listener: Awaited<ReturnType<typeof listen>>;
let slow: Server;
let late: string[] = [];

/** An S3 that sends nothing until it has copied: it passes requests on and delays the responses to copies. */
function lateS3(upstream: string): Server {
  return createServer((message, response) => {
    const query = message.url?.split('?')[1] ?? '';
    const isCopy = message.headers['x-amz-copy-source'] !== undefined;
    const isEnd = message.method === 'POST' && query.includes('uploadId=');
    if (isCopy || isEnd) late.push(isEnd ? 'complete' : (/partNumber=\d+/.exec(query)?.[0] ?? 'copy'));
    const { method, url, headers } = message;
    const onward = request(`${upstream}${url}`, { method, headers }, (answer) => {
      const pass = () => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      };
      if (isCopy || isEnd) setTimeout(pass, LATE);
      else pass();
    });
    onward.on('error', () => response.destroy());
    message.pipe(onward);
  });
}

beforeAll(async () => {
  engines = openEngines({ directory, credentials });
  const near = { requestHandler: inProcess(engines), credentials, region: 'us-east-1' };
  configureClients(near as Parameters<typeof configureClients>[0]);
  Object.assign(process.env, variables(registry));
  await provision(registry, new SQSClient(near as NonNullable<ConstructorParameters<typeof SQSClient>[0]>));
  listener = await listen(engines, { host: '127.0.0.1', port: 0 });
  slow = lateS3(listener.url);
  await new Promise<void>((listening) => slow.listen(0, '127.0.0.1', listening));
  process.env.AWS_ENDPOINT_URL_S3 = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  configureClients({ ...near, requestHandler: overSockets(PATIENCE) } as Parameters<
    typeof configureClients
  >[0]);
});
afterAll(async () => {
  s3().destroy();
  slow.closeAllConnections();
  await new Promise((closed) => slow.close(closed));
  await listener.close();
  await engines.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  late = [];
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

test('the worker copies a file once if S3 responds to the copy later than to any other call', async () => {
  const verified = await arrived(1, 'late-whole', Buffer.from('bytes'));
  expect(await publish({ staged, files }, verified)).toBe('new');
  expect(late).toEqual(['copy']);
  expect(await files.head('late-whole')).toMatchObject({ size: 5, mediaType: 'a/b' });
}, 30_000);

test('the worker copies each part once if S3 responds late to parts and to their completion', async () => {
  const bytes = randomBytes(11 * MIB);
  const verified = await arrived(2, 'late-parts', bytes);
  const Metadata = { operation: '2', file: '0' };
  const begun = new CreateMultipartUploadCommand({ ...files.address('late-parts'), Metadata });
  const { UploadId: copyId } = await s3().send(begun);
  const file = { ...verified.file, copyId, copyPartSize: 5 * MIB };
  expect(await publish({ staged, files }, { ...verified, file })).toBe('new');
  expect([...late].sort()).toEqual(['complete', 'partNumber=1', 'partNumber=2', 'partNumber=3']);
  expect(await files.head('late-parts')).toMatchObject({ size: bytes.length });
}, 30_000);

test('the worker abandons a copy at the end of its run, and the next run recognizes the finished copy', async () => {
  const verified = await arrived(3, 'late-end', Buffer.from('bytes'));
  const short = { ...verified, deadline: Date.now() + LATE / 2 };
  await expect(publish({ staged, files }, short)).rejects.toMatchObject({ name: 'Unavailable' });
  expect(await publish({ staged, files }, verified)).toBe('before');
  expect(late).toEqual(['copy']);
}, 30_000);
