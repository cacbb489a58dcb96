import { Fault } from '../../fault.ts';
import { requireBucket, type S3, type S3Request, type S3Response } from '../s3.ts';

/** Deletes an empty bucket. Source: S3 API Reference "DeleteBucket". @throws BucketNotEmpty (409) */
export function deleteBucket(s3: S3, { bucket }: S3Request): S3Response {
  requireBucket(s3, bucket);
  if (s3.storage.get('SELECT id FROM object WHERE bucket = ? LIMIT 1', bucket)) {
    throw new Fault('BucketNotEmpty', 'The bucket you tried to delete is not empty', 409);
  }
  s3.storage.run('DELETE FROM bucket WHERE name = ?', bucket);
  return { status: 204, headers: {} };
}
