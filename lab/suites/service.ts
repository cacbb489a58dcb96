import assert from 'node:assert/strict';
import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { names } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { newService, type Service } from '../../test/support/service/service.ts';

/** A service with new data, in a separate process. */
export interface SuiteService extends Service {
  /** A folder that the stop of the service removes. */
  readonly folder: string;
  /** Creates an item. Returns its path. */
  create(collection: string, json: object): Promise<string>;
  /** Stores a file that is too large for one request. */
  storeLarge(filename: string, bytes: Buffer, contentType?: string): Promise<void>;
}

/** Starts the service with options of `npm start` and more variables. @throws with its output if it does not start */
export async function startService(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<SuiteService> {
  const service = await newService(args, environment);
  const engines = runningEngines({ DATA_DIR: join(service.folder, 'data') });
  if (engines === undefined) throw new Error(`There are no engines in ${service.folder}`);
  const s3 = new S3Client({
    endpoint: engines.url,
    region: 'us-east-1',
    credentials: engines.credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    ...service,
    create: async (collection, json) => {
      const { status, headers, text } = await service.client('POST', collection, { json });
      assert.equal(status, 201, text);
      return headers.location ?? '';
    },
    storeLarge: async (filename, Body, ContentType) => {
      const Key = `files/${filename}`;
      await s3.send(new PutObjectCommand({ Bucket: names.bucket, Key, Body, ContentType }));
    },
    stop: async () => {
      s3.destroy();
      await service.stop();
    },
  };
}
