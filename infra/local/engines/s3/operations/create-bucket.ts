import type { EngineResponse } from '../../engines.ts';
import { Fault } from '../../fault.ts';
import type { S3, S3Request } from '../s3.ts';

/** Creates a bucket. Source: S3 API Reference "CreateBucket". @throws BucketAlreadyOwnedByYou (409) */
export function createBucket({ storage, clock }: S3, { bucket }: S3Request): EngineResponse {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new Fault('InvalidBucketName', 'The specified bucket is not valid.');
  }
  const insert = 'INSERT OR IGNORE INTO bucket (name, created) VALUES (?, ?)';
  if (storage.run(insert, bucket, clock()).changes === 0) {
    throw new Fault('BucketAlreadyOwnedByYou', 'You have created the named bucket before and own it.', 409);
  }
  return { status: 200, headers: { location: `/${bucket}`, 'content-length': '0' } };
}
