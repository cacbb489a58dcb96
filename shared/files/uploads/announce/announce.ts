import { config } from '../../../aws/config.ts';
import type { JsonObject } from '../../../json/value.ts';
import { begin } from '../../../operations/accepting/defer.ts';
import type { ActionInput } from '../../../resource/actions/action.ts';
import type { Outcome } from '../../../resource/actions/outcome.ts';
import type { Resource } from '../../../resource/resource.ts';
import { newIdentifier } from '../../../store/items/identifier.ts';
import { Objects, objectCondition } from '../../objects.ts';
import { abandon, beginParts } from '../multipart.ts';
import {
  type Awaited,
  type Awaiting,
  FILES,
  kindOf,
  metadataOf,
  STAGED,
  stagedAt,
  toStoredCondition,
} from '../record.ts';
import { uploading } from './fields.ts';
import { type Admission, linksToParts, linkToWhole } from './links.ts';
import { COPIED_WHOLE, copiedPartSizeOf, lifetimeOf, partSizeOf, WHOLE } from './plan.ts';

/** Time from the expiry of the links to the end of the operation, in ms. A request that started in time may be slow. */
const LEEWAY = 900_000;

/**
 * Accepts a manifest. The outcome has the upload links, which lead to a staging prefix. The operation ends when all
 * files have arrived. The service loads this module at the first manifest, because manifests are rare. It starts
 * multipart uploads before it stores the operation. If it crashes in between, S3 aborts them after a day.
 *
 * Source: Specification 5.15.
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function announced(resource: Resource, input: ActionInput): Promise<Outcome> {
  const { uploads = [], now, origin } = input;
  const id = newIdentifier(now);
  const sizes = uploads.map(({ size }) => size);
  const seconds = config.uploadSeconds() ?? lifetimeOf(sizes);
  const partSize = partSizeOf(sizes);
  const [staged, published] = [new Objects(STAGED), new Objects(FILES)];
  const files: Awaited[] = [];
  try {
    const links: JsonObject[] = [];
    for (const [at, upload] of uploads.entries()) {
      const place = staged.address(stagedAt(id, at));
      const metadata = metadataOf(id, at);
      const admission = { place, upload, metadata, seconds };
      const begun = { ...upload, metadata };
      const uploadId = upload.size > WHOLE ? await beginParts(place, begun) : undefined;
      files.push({ ...upload, uploadId });
      if (upload.size > COPIED_WHOLE) {
        const copyId = await beginParts(published.address(upload.name), begun);
        files[at] = { ...upload, uploadId, copyId, copyPartSize: copiedPartSizeOf(upload.size) };
      }
      links.push({
        filename: upload.name,
        size: upload.size,
        ...(await linksOf(admission, uploadId, partSize)),
        expiresAt: new Date(now + seconds * 1000).toISOString(),
      });
    }
    const until = now + seconds * 1000 + Math.min(LEEWAY, seconds * 1000);
    const awaiting: Awaiting = { files, until, expected: toStoredCondition(objectCondition(input.expected)) };
    const outcome = await begin(input, {
      id,
      kind: kindOf(resource.name),
      input: JSON.stringify(awaiting),
      handler: 'upload',
      origin,
      total: files.length,
      dueAt: until,
      more: { uploads: links },
    });
    if (outcome.kind === 'accepted') return { ...outcome, of: uploading };
    await abandon(id, files);
    return outcome;
  } catch (error) {
    await abandon(id, files).catch(() => undefined);
    throw error;
  }
}

const linksOf = (
  admission: Admission,
  uploadId: string | undefined,
  partSize: number,
): Promise<JsonObject> =>
  uploadId === undefined ? linkToWhole(admission) : linksToParts(admission, uploadId, partSize);
