import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { atLeastOne } from '../../test/support/expectations/at-least-one.ts';
import { openEngines } from '../engines.ts';
import { CREDENTIALS, embeddedClients } from './clients.ts';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 5);
let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engines-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Runs a writer, kills it after some acknowledgements of both kinds, and returns the last of each. */
async function killedWriter(from: number, acknowledgements: number): Promise<{ t: number; o: number }> {
  const script = join(import.meta.dirname, 'writer.ts');
  const child = spawn(process.execPath, [script, directory, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  const exited = once(child, 'exit');
  const last = { t: -1, o: -1 };
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind, n] = line.split(' ') as ['t' | 'o', string];
    last[kind] = Number(n);
    if (Math.min(last.t, last.o) >= from && last.t + last.o >= 2 * from + acknowledgements)
      child.kill('SIGKILL');
  }
  expect((await exited)[1]).toBe('SIGKILL');
  return last;
}

/** The parts of unfinished uploads. */
async function partsUnderWay(s3: S3Client): Promise<number> {
  const { Uploads = [] } = await s3.send(new ListMultipartUploadsCommand({ Bucket: 'objects' }));
  let parts = 0;
  for (const { Key, UploadId } of Uploads) {
    parts += (await s3.send(new ListPartsCommand({ Bucket: 'objects', Key, UploadId }))).Parts?.length ?? 0;
  }
  return parts;
}

describe('kill -9', () => {
  test(
    `leaves items, index rows and objects consistent, ${ROUNDS} times`,
    async () => {
      let from = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const acknowledged = await killedWriter(from, 20 + ((round * 7) % 30));
        const engines = openEngines({ directory, credentials: CREDENTIALS });
        const { dynamodb, s3 } = embeddedClients(engines);

        const Items: Record<string, AttributeValue>[] = [];
        for (const name of ['left', 'right']) {
          const query = {
            TableName: 'pairs',
            KeyConditionExpression: 'side = :side',
            ExpressionAttributeValues: { ':side': { S: name } },
          };
          Items.push(...((await dynamodb.send(new QueryCommand(query))).Items ?? []));
        }
        const pairs = new Map(Items.map(({ side, slot, n }) => [`${side?.S}-${slot?.N}`, Number(n?.N)]));
        for (const [id, n] of atLeastOne(pairs)) {
          const side = id.startsWith('left') ? 'right' : 'left';
          expect(pairs.get(`${side}-${n % 10}`)).toBe(n);
          const indexed = await dynamodb.send(
            new QueryCommand({
              TableName: 'pairs',
              IndexName: 'byN',
              KeyConditionExpression: 'n = :n',
              ExpressionAttributeValues: { ':n': { N: String(n) } },
            }),
          );
          expect(indexed.Items?.map((item) => `${item.side?.S}-${item.slot?.N}`).sort()).toEqual([
            `left-${n % 10}`,
            `right-${n % 10}`,
          ]);
        }
        expect(Math.max(...pairs.values())).toBeGreaterThanOrEqual(acknowledged.t);
        const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'objects' }));
        const numbers: number[] = [];
        let last = 0;
        for (const { Key } of atLeastOne(Contents)) {
          const body = await (
            await s3.send(new GetObjectCommand({ Bucket: 'objects', Key }))
          ).Body?.transformToString();
          const n = Number.parseInt(body ?? '', 10);
          expect(body).toBe(`${n} `.repeat(10_000));
          expect(['object', 'upload'].map((kind) => `${kind}-${n % 10}`)).toContain(Key);
          if (Key?.startsWith('object')) numbers.push(n);
          last = Math.max(last, n);
        }
        expect(Math.max(...numbers)).toBeGreaterThanOrEqual(acknowledged.o);
        const files = Contents.length + (await partsUnderWay(s3));
        expect(readdirSync(join(directory, 'objects'))).toHaveLength(files);
        from = Math.max(...pairs.values(), last) + 1;
        await engines.close();
      }
    },
    20_000 + ROUNDS * 10_000,
  );
});

test('the engine refuses a second process with a sentence that names the folder', async () => {
  const engines = openEngines({ directory, credentials: CREDENTIALS });
  const child = spawn(process.execPath, [join(import.meta.dirname, 'writer.ts'), directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  for await (const piece of child.stderr) output += piece;
  expect(output).toContain(`The data folder ${directory} is in use by another process`);
  expect(() => openEngines({ directory, credentials: CREDENTIALS })).toThrow(directory);
  await engines.close();
  await openEngines({ directory, credentials: CREDENTIALS }).close();
});

test('the engine names a lost file of an object, and refuses a folder that has lost all of them', async () => {
  const engines = openEngines({ directory, credentials: CREDENTIALS });
  const { s3 } = embeddedClients(engines);
  const folder = join(directory, 'objects');
  await s3.send(new CreateBucketCommand({ Bucket: 'objects' }));
  const put = (Key: string) => s3.send(new PutObjectCommand({ Bucket: 'objects', Key, Body: Key }));
  const text = async (Key: string) =>
    (await s3.send(new GetObjectCommand({ Bucket: 'objects', Key }))).Body?.transformToString();
  await put('lost');
  const [lost = ''] = readdirSync(folder);
  await put('kept');
  rmSync(join(folder, lost));
  await expect(text('lost')).rejects.toThrow(
    `${join(folder, lost)} is missing: restore it from the backup of engines.sqlite.`,
  );
  expect(await text('kept')).toBe('kept');
  await engines.close();
  for (const file of readdirSync(folder)) rmSync(join(folder, file));
  for (const _attempt of [1, 2])
    expect(() => openEngines({ directory, credentials: CREDENTIALS })).toThrow(
      `The data folder ${directory} has lost its objects: engines.sqlite names 2 of their files`,
    );
});

test('the engine refuses a folder of another layout', () => {
  const database = new DatabaseSync(join(directory, 'engines.sqlite'));
  database.exec('CREATE TABLE item (id); PRAGMA user_version=1');
  database.close();
  for (const _attempt of [1, 2])
    expect(() => openEngines({ directory, credentials: CREDENTIALS })).toThrow('has another layout');
});

// Specification 7.14
test('messages in flight are visible again after a restart', async () => {
  const first = openEngines({ directory, credentials: CREDENTIALS });
  const { sqs } = embeddedClients(first);
  const { QueueUrl } = await sqs.send(
    new CreateQueueCommand({ QueueName: 'q', Attributes: { VisibilityTimeout: '900' } }),
  );
  await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: 'kept' }));
  const receive = new ReceiveMessageCommand({ QueueUrl });
  expect((await sqs.send(receive)).Messages).toHaveLength(1);
  expect((await sqs.send(receive)).Messages).toBeUndefined();
  await first.close();
  const second = openEngines({ directory, credentials: CREDENTIALS });
  expect((await embeddedClients(second).sqs.send(receive)).Messages).toMatchObject([{ Body: 'kept' }]);
  await second.close();
});

test('the start aborts uploads that are two days old and deletes their files', async () => {
  const upload = { Bucket: 'objects', Key: 'given up' };
  const first = openEngines({ directory, credentials: CREDENTIALS });
  const { s3 } = embeddedClients(first);
  await s3.send(new CreateBucketCommand(upload));
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(upload));
  await s3.send(new UploadPartCommand({ ...upload, UploadId, PartNumber: 1, Body: 'half' }));
  await first.close();
  writeFileSync(join(directory, 'objects', crypto.randomUUID()), 'of no object');

  const uploadsAfter = async (hours: number) => {
    const now = () => Date.now() + hours * 3_600_000;
    const engines = openEngines({ directory, credentials: CREDENTIALS, now });
    const { Uploads = [] } = await embeddedClients(engines).s3.send(new ListMultipartUploadsCommand(upload));
    await engines.close();
    return [Uploads.length, readdirSync(join(directory, 'objects')).length];
  };
  expect(await uploadsAfter(47)).toEqual([1, 1]);
  expect(await uploadsAfter(49)).toEqual([0, 0]);
});
