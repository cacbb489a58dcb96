import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, expect, test } from '@jest/globals';
import { inProcess, newCredentials, openEngines } from 'embedded-aws';
import { sweepVersions } from '../../local/provision/leftovers.ts';
import { names } from '../../local/provision/names.ts';
import { configureClients } from '../../shared/aws/clients/client.ts';
import { s3 } from '../../shared/aws/clients/s3.ts';

const DAY = 86_400_000;
const Bucket = names.bucket;
const credentials = newCredentials();
const directory = mkdtempSync(join(tmpdir(), 'resource-api-ended-'));
let days = 0;
const engines = openEngines({ directory, credentials, now: () => days * DAY });
configureClients({ requestHandler: inProcess(engines), credentials, region: 'us-east-1' });
afterAll(async () => {
  await engines.close();
  rmSync(directory, { recursive: true });
});

test('a start removes the versions that ended long ago, and no other behind the end of a page', async () => {
  await s3().send(new CreateBucketCommand({ Bucket }));
  const VersioningConfiguration = { Status: 'Enabled' } as const;
  await s3().send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
  for (const [at, Body] of [
    [0, 'one'],
    [1, 'two'],
    [20, 'three'],
  ] as const) {
    days = at;
    await s3().send(new PutObjectCommand({ Bucket, Key: 'files/k', Body }));
  }
  days = 35;
  // The page of 1,000 entries ends with the first version of the file.
  for (let made = 0; made < 997; made += 1)
    await s3().send(new DeleteObjectCommand({ Bucket, Key: 'files/a' }));
  await s3().send(new PutObjectCommand({ Bucket, Key: 'files/z', Body: 'last' }));
  await sweepVersions(30, 40 * DAY);
  const left = await s3().send(new ListObjectVersionsCommand({ Bucket, Prefix: 'files/k' }));
  expect(left.Versions?.map(({ Size }) => Size)).toEqual([5, 3]);
});
