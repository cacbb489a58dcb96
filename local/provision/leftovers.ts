import { DeleteObjectCommand, ListObjectVersionsCommand } from '@aws-sdk/client-s3';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { Objects } from '../../shared/files/objects.ts';
import { FILES, STAGED, sentTo } from '../../shared/files/uploads/record.ts';
import { waitingFor } from '../../shared/operations/running/part-tracker.ts';
import { names } from './names.ts';

/**
 * Removes the uploads of operations that have ended. For every other upload it calls `notify` with the key of the
 * object, which sends another notification. A crashed process may have received the first one without work on it. Only
 * `npm start` calls this. On AWS, SQS delivers messages again, and a lifecycle rule of the bucket removes old uploads.
 *
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function sweepStaged(notify: (key: string) => Promise<unknown>): Promise<void> {
  const staged = new Objects(STAGED);
  for await (const { key } of staged.list()) {
    const sent = sentTo(key);
    if (!sent || !(await waitingFor(sent.operation))) await staged.remove(key);
    else await notify(STAGED + key);
  }
}

const DAY_MS = 86_400_000;

/**
 * Removes the versions that ended more than `days` ago, and all ended versions of objects that are not files. Only
 * `npm start` calls this. On AWS, a lifecycle rule of the bucket does it. `now`: ms since the epoch.
 *
 * Source: Amazon S3 User Guide, "Lifecycle configuration elements", NoncurrentVersionExpiration.
 */
export async function sweepVersions(days: number, now: number): Promise<void> {
  const Bucket = names.bucket;
  let place: { readonly KeyMarker?: string | undefined; readonly VersionIdMarker?: string | undefined } = {};
  let newer: { readonly Key?: string | undefined; readonly at: number } | undefined;
  // The next page begins behind a version, which must be there.
  const ended: { readonly Key: string; readonly VersionId: string | undefined }[] = [];
  for (let isTruncated = true; isTruncated; ) {
    const page = await s3().send(new ListObjectVersionsCommand({ Bucket, ...place }));
    const markers = page.DeleteMarkers ?? [];
    const entries = [...markers, ...(page.Versions ?? [])].map((one) => ({
      ...one,
      at: one.LastModified?.getTime() ?? 0,
      isMarker: markers.includes(one),
    }));
    const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
    entries.sort(
      (a, b) => order(a.Key ?? '', b.Key ?? '') || Number(b.IsLatest) - Number(a.IsLatest) || b.at - a.at,
    );
    for (const { Key = '', VersionId, at, IsLatest, isMarker } of entries) {
      const end = IsLatest ? at : newer?.Key === Key ? newer.at : now;
      newer = { Key, at };
      if (IsLatest && !isMarker) continue;
      if (Key.startsWith(FILES) && end + days * DAY_MS > now) continue;
      ended.push({ Key, VersionId });
    }
    isTruncated = page.IsTruncated === true;
    place = { KeyMarker: page.NextKeyMarker, VersionIdMarker: page.NextVersionIdMarker };
  }
  // The oldest version goes first: without its delete marker, a version of a removed file would be the file again.
  for (const one of ended.reverse()) await s3().send(new DeleteObjectCommand({ Bucket, ...one }));
}
