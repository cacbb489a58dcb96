import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { INPUTS } from '../../shared/aws/inputs.ts';
import { STAGED } from '../../shared/files/uploads/record.ts';
import type { Options } from '../options.ts';

/** A noncurrent version of an object can be brought back this long. */
const UNDELETE_DAYS = 30;
/** Inputs of operations: a day longer than the operations themselves can be asked for. */
const INPUT_DAYS = 8;
/** What was sent for an operation that ended: links can be used for half a day, the operation waits a little longer. */
const STAGED_DAYS = 2;
/** Seconds for which a browser need not ask again whether it may. */
const PREFLIGHT_SECONDS = 3000;

/** No bucket is public. Source: Amazon S3 User Guide, "Security best practices". */
const PRIVATE = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
};

/**
 * The bucket with what a deployment publishes. CDK's own function, which puts it there, may write and delete the whole
 * bucket: so no data of users is in it, and it goes with its stack.
 */
export const publishedBucket = (scope: Construct, id: string): Bucket =>
  new Bucket(scope, id, { ...PRIVATE, removalPolicy: RemovalPolicy.DESTROY });

/**
 * The bucket with the bytes of all resources, a prefix each: private, over TLS only, versioned, outliving its stack.
 *
 * Browsers may read and upload from any origin: the signature in the URL is what admits a request, and behind a redirect from
 * another host than the page's own they name `null` as the origin.
 *
 * Source: Amazon S3 User Guide, "Security best practices", "Aborting incomplete multipart uploads", "Elements of a CORS
 * configuration"; Fetch §4.4 step 12 (tainted origin).
 */
export const objectBucket = (scope: Construct, id: string, { data }: Options): Bucket =>
  new Bucket(scope, id, {
    ...PRIVATE,
    versioned: true,
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: Duration.days(1),
        noncurrentVersionExpiration: Duration.days(UNDELETE_DAYS),
      },
      {
        prefix: INPUTS,
        expiration: Duration.days(INPUT_DAYS),
        noncurrentVersionExpiration: Duration.days(1),
      },
      {
        prefix: STAGED,
        expiration: Duration.days(STAGED_DAYS),
        noncurrentVersionExpiration: Duration.days(1),
      },
    ],
    cors: [
      {
        allowedOrigins: ['*'],
        allowedMethods: [
          HttpMethods.GET,
          HttpMethods.HEAD,
          HttpMethods.PUT,
          HttpMethods.POST,
          HttpMethods.DELETE,
        ],
        allowedHeaders: ['*'],
        exposedHeaders: ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Length', 'Content-Disposition'],
        maxAge: PREFLIGHT_SECONDS,
      },
    ],
    // A bucket with objects in it cannot be removed: they stay, or go first.
    ...(data === 'retain'
      ? { removalPolicy: RemovalPolicy.RETAIN }
      : { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true }),
  });
