import { config } from '../../../aws/config.ts';
import { begin } from '../../../operations/accepting/defer.ts';
import type { FilesCall } from '../../../resource/actions/action.ts';
import type { Outcome } from '../../../resource/actions/outcome.ts';
import type { Resource } from '../../../resource/resource.ts';
import type { Upload } from '../../../resource/sent.ts';
import { newIdentifier } from '../../../store/write/new-item.ts';
import { Objects, objectCondition } from '../../objects.ts';
import { storedName } from '../../stored-name.ts';
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
import { COPIED_WHOLE, copiedPartSizeOf, partSizeOf, WHOLE } from './plan.ts';
import { signedLinks } from './signed.ts';

/**
 * Accepts a manifest. The outcome has the upload links, which lead to a staging prefix. The operation ends when all
 * files have arrived, or after a day. The service loads this module at the first manifest, because manifests are rare.
 * It starts multipart uploads before it stores the operation. If it crashes in between, S3 aborts them after two days.
 *
 * Source: Specification 5.15.
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function announced(
  resource: Resource,
  input: FilesCall,
  uploads: readonly Upload[],
): Promise<Outcome> {
  const { now, origin } = input;
  const id = newIdentifier(now);
  const [staged, published] = [new Objects(STAGED), new Objects(FILES)];
  const files: Awaited[] = [];
  try {
    for (const [at, sent] of uploads.entries()) {
      const upload = { ...sent, name: await storedName(published, sent.name) };
      const begun = { ...upload, metadata: metadataOf(id, at) };
      const uploadId =
        upload.size > WHOLE ? await beginParts(staged.address(stagedAt(id, at)), begun) : undefined;
      files.push({ ...upload, uploadId });
      if (upload.size > COPIED_WHOLE) {
        const copyId = await beginParts(published.address(upload.name), begun);
        files[at] = { ...upload, uploadId, copyId, copyPartSize: copiedPartSizeOf(upload.size) };
      }
    }
    const until = now + config.uploadTime();
    const awaiting: Awaiting = {
      files,
      partSize: partSizeOf(uploads.map(({ size }) => size)),
      until,
      expected: toStoredCondition(objectCondition(input.expected)),
    };
    const links = await signedLinks(id, awaiting, now);
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
