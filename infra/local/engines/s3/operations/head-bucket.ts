import type { EngineResponse } from '../../engines.ts';
import { requireBucket, type S3, type S3Request } from '../s3.ts';

/** Tells whether a bucket exists. Source: S3 API Reference "HeadBucket". */
export function headBucket(s3: S3, request: S3Request): EngineResponse {
  requireBucket(s3, request);
  return { status: 200, headers: { 'x-amz-bucket-region': 'us-east-1' } };
}
