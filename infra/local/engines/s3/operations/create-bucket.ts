import { Fault } from '../../fault.ts';
import type { S3, S3Request, S3Response } from '../s3.ts';

/** Creates a bucket. Source: S3 API Reference "CreateBucket". @throws BucketAlreadyOwnedByYou (409) */
export function createBucket({ storage, clock }: S3, { bucket }: S3Request): S3Response {
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new Fault('InvalidBucketName', 'The specified bucket is not valid.');
  }
  const { changes } = storage.run(
    'INSERT OR IGNORE INTO bucket (name, created) VALUES (?, ?)',
    bucket,
    clock(),
  );
  if (changes === 0) {
    throw new Fault(
      'BucketAlreadyOwnedByYou',
      'Your previous request to create the named bucket succeeded and you already own it.',
      409,
    );
  }
  return { status: 200, headers: { location: `/${bucket}` } };
}
