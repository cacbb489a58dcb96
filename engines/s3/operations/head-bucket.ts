import type { S3Operation } from '../s3.ts';

/** Checks that a bucket exists. Source: S3 API Reference "HeadBucket". */
export const headBucket: S3Operation = () => ({
  status: 200,
  headers: { 'x-amz-bucket-region': 'us-east-1' },
});
