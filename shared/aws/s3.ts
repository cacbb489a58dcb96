import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { config } from './config.ts';
import { currentSettings, type Settings } from './settings.ts';

/**
 * S3's client, in a module of its own: bundles of functions that touch no object do not hold it. It is imported as a
 * whole, not on demand: behind a dynamic import nothing of it can be left out, which made bundles 80 KB larger.
 */
let client: S3Client | undefined;
let attached: Settings | undefined;

/** S3's client, made at the first call and again after other settings were attached. */
export function s3(): S3Client {
  const settings = currentSettings();
  if (!client || attached !== settings) {
    attached = settings;
    client = new S3Client({
      ...(settings as S3ClientConfig),
      maxAttempts: 3,
      forcePathStyle: config.s3PathStyle(),
      // A presigned PUT would carry the checksum of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }
  return client;
}
