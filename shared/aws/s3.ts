import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { config } from './config.ts';
import { lazyClient } from './lazy-client.ts';
import { metered } from './meter.ts';
import { type ClientSettings, currentSettings } from './settings.ts';
import { withoutLogger } from './without-logger.ts';

/**
 * S3's client, made at the first call and again after other settings were attached. In a module of its own: bundles of
 * functions that touch no object do not hold it. It is imported as a whole, not on demand: behind a dynamic import
 * nothing of it can be left out, which made bundles 80 KB larger.
 */
export const s3 = /* @__PURE__ */ lazyClient((settings) =>
  metered(clientWith(settings, { forcePathStyle: config.s3PathStyle() }), 's3'),
);

/**
 * The client that signs what others will send. They may reach S3 elsewhere than this process does: inside a container,
 * or in the process of the engines, it has an address that means nothing outside.
 */
export function s3OfClients(): S3Client {
  const endpoint = config.s3AddressForClients();
  return endpoint ? clientWith(currentSettings(), { endpoint, forcePathStyle: true }) : s3();
}

const clientWith = (
  settings: ClientSettings,
  place: Pick<S3ClientConfig, 'endpoint' | 'forcePathStyle'>,
): S3Client =>
  withoutLogger(
    new S3Client({
      ...(settings as S3ClientConfig),
      ...place,
      maxAttempts: 3,
      // A presigned PUT would carry the checksum of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  );
