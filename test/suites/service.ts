import { join } from 'node:path';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { freePort } from '../../infra/local/free-port.ts';
import { names } from '../../infra/local/names.ts';
import { type Client, clientOf } from '../support/client.ts';
import { run, temporary } from '../support/service.ts';

/** The service, with new data, in a process of its own. */
export interface SuiteService {
  readonly url: string;
  readonly client: Client;
  /** A folder that goes when the service stops. */
  readonly folder: string;
  /** Puts a file where no request of the service can: it is too large for one. */
  storeLarge(filename: string, bytes: Buffer, contentType?: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the service. @throws with its output when it does not start */
export async function startService(): Promise<SuiteService> {
  const { directory: folder, remove } = await temporary();
  const enginePort = await freePort();
  const running = await run({ directory: join(folder, 'data'), enginePort });
  const { url } = running;
  if (url === undefined) {
    await remove();
    throw new Error(`The service did not start:\n${running.output()}`);
  }
  const s3 = new S3Client({
    endpoint: `http://127.0.0.1:${enginePort}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local-secret' },
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
