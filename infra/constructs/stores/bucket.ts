import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { STAGED } from '../../../shared/files/uploads/record.ts';
import { INPUTS } from '../../../shared/operations/record/long-inputs.ts';
import type { Options } from '../../options.ts';

/** Days for which a noncurrent version of an object can be restored, unless the store of files states others. */
const UNDELETE_DAYS = 30;
/** Days that S3 keeps the inputs of operations: one more than the operations themselves exist. */
const INPUT_DAYS = 8;
/** Days that S3 keeps staged uploads and unfinished ones. An operation waits for them for a day. */
const STAGED_DAYS = 2;
/** Seconds for which a browser caches the response to a preflight request. */
const PREFLIGHT_SECONDS = 3000;

/** No bucket is public. Source: Amazon S3 User Guide, "Security best practices". */
const PRIVATE = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  encryption: BucketEncryption.S3_MANAGED,
  enforceSSL: true,
};

/**
 * Returns the bucket with the files that a deployment publishes. CDK's function can write and delete everything in this
 * bucket. Therefore it holds no user data, and it is deleted with its stack.
 */
export const publishedBucket = (scope: Construct, id: string): Bucket =>
  new Bucket(scope, id, { ...PRIVATE, removalPolicy: RemovalPolicy.DESTROY });

/**
 * Returns the bucket with the bytes of all resources, one prefix each. It is private, accepts TLS only, keeps versions
 * and outlives its stack. An adopted bucket takes its place: the stack uses it, and neither changes nor deletes it.
 *
 * `keptDays`: the days of versions.
 *
 * CORS allows every origin, because the signature in the URL authorizes a request. After a redirect to another host,
 * browsers send `null` as the origin.
 *
 * Source: Amazon S3 User Guide, "Security best practices", "Aborting incomplete multipart uploads", "Expiring objects",
 * "Elements of a CORS configuration"; Fetch §4.4 step 12 (tainted origin).
 */
export const objectBucket = (
  scope: Construct,
  id: string,
  { adoptedBucket, data }: Options,
  keptDays = UNDELETE_DAYS,
): IBucket =>
  adoptedBucket === undefined
    ? newBucket(scope, id, { data, keptDays })
    : Bucket.fromBucketName(scope, id, adoptedBucket);

const newBucket = (
  scope: Construct,
  id: string,
  { data, keptDays }: Pick<Options, 'data'> & { readonly keptDays: number },
): Bucket =>
  new Bucket(scope, id, {
    ...PRIVATE,
    versioned: true,
    lifecycleRules: [
      {
        abortIncompleteMultipartUploadAfter: Duration.days(STAGED_DAYS),
        noncurrentVersionExpiration: Duration.days(keptDays),
        // Without it, delete markers of removed files stay and slow down listings.
        expiredObjectDeleteMarker: true,
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
    // CloudFormation cannot delete a bucket that has objects. The bucket therefore stays, or CDK deletes the
    // objects first.
    ...(data === 'retain'
      ? { removalPolicy: RemovalPolicy.RETAIN }
      : { removalPolicy: RemovalPolicy.DESTROY, autoDeleteObjects: true }),
  });
