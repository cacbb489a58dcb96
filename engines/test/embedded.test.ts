import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { CreateQueueCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Engines, openEngines } from '../engines.ts';
import { signedHeaders } from '../signature.ts';
import { CREDENTIALS, embeddedClients } from './clients.ts';

let directory = '';
let engines: Engines;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'engines-'));
  engines = openEngines({ directory, credentials: CREDENTIALS });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** One raw DynamoDB request. No client changes its content or the response. */
async function dynamodb(operation: string, json: string): Promise<{ status: number; text: string }> {
  const headers = { host: 'dynamodb', 'x-amz-target': `DynamoDB_20120810.${operation}` };
  const request = { method: 'POST', path: '/', query: '', headers, body: Buffer.from(json) };
  const { status, body } = await engines.dispatch({
    ...request,
    headers: signedHeaders(request, CREDENTIALS, Date.now()),
    body: [request.body],
  });
  return { status, text: Buffer.from(body as Uint8Array).toString() };
}

const TABLE = JSON.stringify({
  TableName: 'names',
  AttributeDefinitions: [{ AttributeName: '__proto__', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: '__proto__', KeyType: 'HASH' }],
});

test('the engine takes an attribute named __proto__', async () => {
  await dynamodb('CreateTable', TABLE);
  const key = '{"__proto__":{"S":"k"}}';
  const put = await dynamodb(
    'PutItem',
    `{"TableName":"names","Item":{"__proto__":{"S":"k"},"m":{"M":{"__proto__":{"N":"1"}}}}}`,
  );
  expect(put).toEqual({ status: 200, text: '{}' });
  await dynamodb(
    'UpdateItem',
    `{"TableName":"names","Key":${key},"UpdateExpression":"SET n = :v","ExpressionAttributeValues":{":v":{"N":"1"}}}`,
  );
  const got = await dynamodb('GetItem', `{"TableName":"names","Key":${key}}`);
  expect(got.text).toBe('{"Item":{"__proto__":{"S":"k"},"m":{"M":{"__proto__":{"N":"1"}}},"n":{"N":"1"}}}');
  await engines.close();
});

test.each([
  ['ExecuteStatement', '{}', 'ExecuteStatement'],
  ['PutItem', '{"TableName":"names","Expected":{}}', 'PutItem with Expected'],
  ['toString', '{}', 'toString'],
  ...['a.b = :v', 'a[1] = :v', 'a IN (:v)', 'a BETWEEN :v AND :v'].map((condition) => [
    'PutItem',
    `{"TableName":"names","Item":{"__proto__":{"S":"k"}},"ConditionExpression":"${condition}","ExpressionAttributeValues":{":v":{"N":"1"}}}`,
    'DynamoDB',
  ]),
])('the engine reports %s as not implemented', async (operation = '', json = '', feature = '') => {
  await dynamodb('CreateTable', TABLE);
  const answer = await dynamodb(operation, json);
  expect(answer).toEqual({ status: 501, text: expect.stringMatching(`${feature}.* is not implemented`) });
  await engines.close();
});

test.each(['', '[', 'null', '"x"', '{"TableName":5}'])('the engine refuses the request %j', async (json) => {
  expect((await dynamodb('GetItem', json)).status).toBe(400);
  await engines.close();
});

test('each object of the bucket is its only version, which can be deleted by its id', async () => {
  const { s3 } = embeddedClients(engines);
  const Bucket = 'versions';
  await s3.send(new CreateBucketCommand({ Bucket }));
  for (const Key of ['a', 'b/1', 'b/2', 'b/3'])
    await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
  const first = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'b/', MaxKeys: 2 }));
  expect(first.Versions?.map(({ Key, VersionId }) => `${Key} ${VersionId}`)).toEqual([
    'b/1 null',
    'b/2 null',
  ]);
  expect(first).toMatchObject({ IsTruncated: true, NextKeyMarker: 'b/2' });
  const KeyMarker = first.NextKeyMarker;
  const VersionIdMarker = first.NextVersionIdMarker;
  const rest = await s3.send(
    new ListObjectVersionsCommand({ Bucket, Prefix: 'b/', KeyMarker, VersionIdMarker }),
  );
  expect(rest.Versions?.map(({ Key }) => Key)).toEqual(['b/3']);
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'a', VersionId: 'other' }));
  await s3.send(new DeleteObjectCommand({ Bucket, Key: 'b/1', VersionId: 'null' }));
  const left = await s3.send(new ListObjectVersionsCommand({ Bucket }));
  expect(left.Versions?.map(({ Key }) => Key)).toEqual(['a', 'b/2', 'b/3']);
});

test('a bucket with versioning keeps each version, also through a removal', async () => {
  const { s3 } = embeddedClients(engines);
  const Bucket = 'kept';
  await s3.send(new CreateBucketCommand({ Bucket }));
  const at = { Bucket, Key: 'a' };
  await s3.send(new PutObjectCommand({ ...at, Body: 'zero' }));
  await s3.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  const { VersionId: one } = await s3.send(new PutObjectCommand({ ...at, Body: 'one' }));
  const { VersionId: marker } = await s3.send(new DeleteObjectCommand(at));
  await s3.send(new PutObjectCommand({ Bucket, Key: 'ab', Body: 'other' }));
  const listed = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a' }));
  expect(listed.Versions?.map(({ Key, VersionId, IsLatest }) => [Key, VersionId, IsLatest])).toEqual([
    ['a', one, false],
    ['a', 'null', false],
    ['ab', expect.any(String), true],
  ]);
  expect(listed.DeleteMarkers).toMatchObject([{ Key: 'a', VersionId: marker, IsLatest: true }]);
  const after = { KeyMarker: 'a', VersionIdMarker: one, MaxKeys: 1 };
  const page = await s3.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a', ...after }));
  expect(page).toMatchObject({ Versions: [{ VersionId: 'null' }], NextVersionIdMarker: 'null' });

  const textOf = async (VersionId?: string) =>
    (await s3.send(new GetObjectCommand({ ...at, VersionId }))).Body?.transformToString();
  expect([await textOf(one), await textOf('null')]).toEqual(['one', 'zero']);
  const failed = (work: Promise<unknown>) =>
    work.catch(({ name, $response: { headers } }) => [name, headers['x-amz-delete-marker']]);
  expect(await failed(textOf())).toEqual(['NoSuchKey', 'true']);
  expect(await failed(textOf(marker))).toEqual(['MethodNotAllowed', 'true']);
  expect(await failed(textOf('other'))).toEqual(['NoSuchVersion', undefined]);

  const copy = { ...at, CopySource: `${Bucket}/a?versionId=${one}`, IfNoneMatch: '*' };
  await s3.send(new CopyObjectCommand(copy));
  expect(await textOf()).toBe('one');
  const { VersionId: two = '' } = await s3.send(new PutObjectCommand({ ...at, Body: 'two' }));
  await s3.send(new DeleteObjectCommand({ ...at, VersionId: two }));
  expect(await textOf()).toBe('one');
  await engines.close();
});

test('close ends a long poll', async () => {
  const { sqs } = embeddedClients(engines);
  const { QueueUrl } = await sqs.send(new CreateQueueCommand({ QueueName: 'q' }));
  const polling = sqs.send(new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 20 }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await engines.close();
  expect((await polling).Messages).toBeUndefined();
});
