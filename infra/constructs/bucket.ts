import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';

/** A noncurrent version of an object can be brought back this long. */
const UNDELETE_DAYS = 30;

/**
 * The bucket with the bytes of all resources, a prefix each: private, over TLS only, versioned, outliving its stack.
 *
 * Source: Amazon S3 User Guide, "Security best practices", "Aborting incomplete multipart uploads".
 */
export const objectBucket = (scope: Construct, id: string): Bucket =>
  new Bucket(scope, id, {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    encryption: BucketEncryption.S3_MANAGED,
    enforceSSL: true,
    versioned: true,
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: Duration.days(1),
        noncurrentVersionExpiration: Duration.days(UNDELETE_DAYS),
      },
    ],
    removalPolicy: RemovalPolicy.RETAIN,
  });
