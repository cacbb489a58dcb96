import { requireBucket, type S3, type S3Request, type S3Response } from '../s3.ts';

/** Tells whether a bucket exists. Source: S3 API Reference "HeadBucket". */
export function headBucket(s3: S3, { bucket }: S3Request): S3Response {
  requireBucket(s3, bucket);
  return { status: 200, headers: { 'x-amz-bucket-region': 'us-east-1' } };
}
