import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { names } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { type Client, clientOf } from '../../test/support/client/client.ts';
import { run, temporary } from '../../test/support/service/service.ts';

/** The service with new data, in a separate process. */
export interface SuiteService {
  readonly url: string;
  readonly client: Client;
  /** A folder that the stop of the service removes. */
  readonly folder: string;
  /** Stores a file that is too large for one request. */
  storeLarge(filename: string, bytes: Buffer, contentType?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service with options of `npm start`. @throws with its output if it does not start */
export async function startService(args: readonly string[] = []): Promise<SuiteService> {
  const { directory: folder, remove } = await temporary();
  const directory = join(folder, 'data');
  const running = await run({ directory, args });
  const { url } = running;
  if (url === undefined) {
    await remove();
    throw new Error(`The service did not start:\n${running.output()}`);
  }
  const engines = runningEngines({ DATA_DIR: directory });
  if (engines === undefined) throw new Error(`There are no engines in ${directory}`);
  const s3 = new S3Client({
    endpoint: engines.url,
    region: 'us-east-1',
    credentials: engines.credentials,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return {
    url,
    client: clientOf(url),
    folder,
    storeLarge: async (filename, Body, ContentType) => {
      const Key = `files/${filename}`;
      await s3.send(new PutObjectCommand({ Bucket: names.bucket, Key, Body, ContentType }));
    },
    stop: async () => {
      s3.destroy();
      await running.stop();
      await remove();
    },
  };
}
