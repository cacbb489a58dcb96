import { DeleteObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { config } from '../../../shared/aws/config.ts';

/**
 * Deletes all versions and delete markers of the objects below a prefix whose key matches. No copy remains in the
 * bucket.
 *
 * Source: Amazon S3 User Guide, "Deleting object versions from a versioning-enabled bucket".
 */
export async function purge(Prefix: string, matches: (key: string) => boolean): Promise<void> {
  const Bucket = config.bucketName();
  let next:
    | { readonly KeyMarker: string | undefined; readonly VersionIdMarker: string | undefined }
    | undefined;
  do {
    const page = await s3().send(new ListObjectVersionsCommand({ Bucket, Prefix, ...next }));
    for (const { Key = '', VersionId } of [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])]) {
      if (!matches(Key)) continue;
      await s3().send(new DeleteObjectCommand({ Bucket, Key, VersionId }));
    }
    next = page.IsTruncated
      ? { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker }
      : undefined;
  } while (next);
}
