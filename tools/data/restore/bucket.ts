/** The configuration of a bucket that a stack adopts. */

import { isDeepStrictEqual } from 'node:util';
import {
  GetBucketCorsCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketNotificationConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketVersioningCommand,
  GetPublicAccessBlockCommand,
  PutBucketCorsCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketNotificationConfigurationCommand,
  PutBucketPolicyCommand,
  PutBucketVersioningCommand,
  PutPublicAccessBlockCommand,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { config } from '../../../shared/aws/config.ts';
import { UserError } from '../../user-error.ts';

/** A part of the configuration of a bucket. `write` replaces it. Both functions throw what S3 answers. */
interface BucketSetting<Value> {
  readonly name: string;
  readonly read: (Bucket: string) => Promise<Value | undefined>;
  readonly write: (Bucket: string, value: Value) => Promise<unknown>;
}

/** A part that differs. `copy`: gives it to the adopted bucket. */
interface Difference {
  readonly line: string;
  readonly copy: () => Promise<unknown>;
}

/** Returns the comparison of a part, with the type of its values inside. */
const part =
  <Value>({ name, read, write }: BucketSetting<Value>) =>
  async (from: string, to: string): Promise<Difference | undefined> => {
    const [wanted, found] = await Promise.all([from, to].map((one) => optional(read(one))));
    if (wanted === undefined || isDeepStrictEqual(wanted, found)) return;
    return {
      line: `${name}: ${found === undefined ? 'none' : JSON.stringify(found)}, instead of ${JSON.stringify(wanted)}`,
      copy: () => write(to, wanted),
    };
  };

/** S3 answers 404 with such a code if a bucket has no part of a kind. Source: Amazon S3 API Reference, "Error responses". */
const optional = <Value>(value: Promise<Value>): Promise<Value | undefined> =>
  value.catch((error: unknown) => {
    if (error instanceof S3ServiceException && /^NoSuch(?!Bucket$)/.test(error.name)) return undefined;
    throw error;
  });

/** Instead of the name of the bucket in the ARNs of its policy. */
const SELF = '{bucket}';

/** What the stack gives to a bucket of its own. Source: Amazon S3 API Reference. */
const PARTS = [
  part({
    name: 'versions',
    read: async (Bucket) => (await s3().send(new GetBucketVersioningCommand({ Bucket }))).Status,
    write: (Bucket, Status) =>
      s3().send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration: { Status } })),
  }),
  part({
    name: 'lifecycle',
    read: async (Bucket) => (await s3().send(new GetBucketLifecycleConfigurationCommand({ Bucket }))).Rules,
    write: (Bucket, Rules) =>
      s3().send(new PutBucketLifecycleConfigurationCommand({ Bucket, LifecycleConfiguration: { Rules } })),
  }),
  part({
    name: 'CORS',
    read: async (Bucket) => (await s3().send(new GetBucketCorsCommand({ Bucket }))).CORSRules,
    write: (Bucket, CORSRules) =>
      s3().send(new PutBucketCorsCommand({ Bucket, CORSConfiguration: { CORSRules } })),
  }),
  part({
    name: 'notifications',
    read: async (Bucket) =>
      (await s3().send(new GetBucketNotificationConfigurationCommand({ Bucket }))).QueueConfigurations,
    write: (Bucket, QueueConfigurations) =>
      s3().send(
        new PutBucketNotificationConfigurationCommand({
          Bucket,
          NotificationConfiguration: { QueueConfigurations },
        }),
      ),
  }),
  part({
    name: 'public access',
    read: async (Bucket) =>
      (await s3().send(new GetPublicAccessBlockCommand({ Bucket }))).PublicAccessBlockConfiguration,
    write: (Bucket, PublicAccessBlockConfiguration) =>
      s3().send(new PutPublicAccessBlockCommand({ Bucket, PublicAccessBlockConfiguration })),
  }),
  part({
    name: 'policy',
    read: async (Bucket) => {
      const { Policy } = await s3().send(new GetBucketPolicyCommand({ Bucket }));
      return Policy?.replaceAll(new RegExp(`:::${Bucket}(?=[/"])`, 'g'), `:::${SELF}`);
    },
    write: (Bucket, policy) =>
      s3().send(new PutBucketPolicyCommand({ Bucket, Policy: policy.replaceAll(SELF, Bucket) })),
  }),
];

/**
 * Compares a bucket with the one that the functions use, in what a stack does not manage at an adopted bucket:
 * versions, lifecycle, CORS, notifications, public access and policy. Reports each part that differs. `set`: also copies
 * it. Returns the number of parts that still differ.
 *
 * @throws UserError if the functions use this bucket already, or S3 refuses a request
 */
export async function compareBucket(
  { name, set }: { readonly name: string; readonly set: boolean },
  report: (line: string) => void,
): Promise<number> {
  const used = config.bucketName();
  if (name === used)
    throw new UserError(`The functions use ${name} already: name the bucket that the stack shall adopt`);
  try {
    const compared = await Promise.all(PARTS.map((one) => one(used, name)));
    const different = compared.filter((one) => one !== undefined);
    for (const { line, copy } of different) {
      report(line);
      if (set) await copy();
    }
    const left = set ? 0 : different.length;
    report(
      left > 0
        ? `${left} parts differ from ${used}: --set copies them`
        : `${name} has what ${used} has. To use it: -c adoptedBucket=${name}`,
    );
    return left;
  } catch (error) {
    if (!(error instanceof S3ServiceException)) throw error;
    throw new UserError(`S3 refuses a request of ${name} or ${used}: ${error.name}, ${error.message}`);
  }
}
