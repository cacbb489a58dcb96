import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3';
import { currentTime } from '../clock.ts';
import { config } from '../config.ts';
import { meterClient } from '../meter.ts';
import { type ClientSettings, currentSettings, lazyClient, withoutLogger } from './client.ts';

/**
 * The S3 client. The first call creates it, and so does the first call after `configureClients`. It has a module of
 * its own, so that bundles of functions without objects do not contain it.
 */
export const s3 = /* @__PURE__ */ lazyClient((settings) =>
  meterClient(clientWith(settings, { forcePathStyle: config.s3PathStyle() }), 's3'),
);

/**
 * Returns the client that makes presigned URLs. Clients of the service may reach S3 at another address than this
 * process, for example if this process runs in a container. The URLs contain the address for clients.
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
      // A presigned PUT would carry the checksum of an empty body.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
  );

/** The time-out for the start of S3's response to a copy, in ms: S3 sends nothing during the copy. */
const COPY_MS = 300_000;

/**
 * Returns the options of a call with a late response: CopyObject, UploadPartCopy and CompleteMultipartUpload. Each
 * attempt has five minutes. All attempts together end at `deadline`, in ms since the epoch.
 *
 * Source: Amazon S3 API Reference, CompleteMultipartUpload: "can take several minutes to complete"; AWS SDK for
 * JavaScript v3 Developer Guide, "Configuring timeouts".
 */
export function answeredLate(deadline: number): { requestTimeout: number; abortSignal: AbortSignal } {
  return { requestTimeout: Math.min(COPY_MS, timeTo(deadline)), abortSignal: endingAt(deadline) };
}

/** Returns a signal that aborts calls at `deadline`, in ms since the epoch. */
export const endingAt = (deadline: number): AbortSignal => AbortSignal.timeout(timeTo(deadline));

const timeTo = (deadline: number): number => Math.max(deadline - currentTime(), 1);
