import { config } from '../../../aws/config.ts';
import type { JsonObject } from '../../../json/value.ts';
import { Objects } from '../../objects.ts';
import { type Awaiting, metadataOf, STAGED, stagedAt } from '../record.ts';
import { linksToParts, linkToWhole } from './links.ts';
import { lifetimeOf, partSizeOf } from './plan.ts';

/**
 * Returns the upload links of an operation as clients see them, in the order of the manifest. `settled`: the indexes of
 * files that need none, because they arrived or failed. `now` in ms since the epoch.
 */
export async function signedLinks(
  id: number,
  { files, until, partSize = partSizeOf(files.map(({ size }) => size)) }: Awaiting,
  now: number,
  settled: ReadonlySet<number> = new Set(),
): Promise<JsonObject[]> {
  const staged = new Objects(STAGED);
  const seconds = lifetimeOf(now, until, sessionEnd());
  const signed: JsonObject[] = [];
  for (const [at, { uploadId, ...upload }] of files.entries()) {
    if (settled.has(at)) continue;
    const admission = {
      place: staged.address(stagedAt(id, at)),
      upload,
      metadata: metadataOf(id, at),
      seconds,
    };
    signed.push({
      filename: upload.name,
      size: upload.size,
      ...(await (uploadId === undefined
        ? linkToWhole(admission)
        : linksToParts(admission, uploadId, partSize))),
      expiresAt: new Date(now + seconds * 1000).toISOString(),
    });
  }
  return signed;
}

/** The longest session of a function's role, in ms. It starts before the process does. */
const SESSION_MS = 12 * 60 * 60 * 1000;
/** The assumed longest time from the start of the session to the start of the process, in ms. */
const BEFORE_START = 15 * 60 * 1000;

/**
 * Returns the time in ms since the epoch at which the credentials of this process expire; undefined if they do not.
 * Lambda does not state this time, so it follows from the start of the process.
 *
 * Source: AWS Lambda Developer Guide, "Defining runtime environment variables": AWS_SESSION_TOKEN; AWS re:Post, "Why is
 * my presigned URL expiring before the time that I specified?"
 */
export const sessionEnd = (): number | undefined =>
  config.sessionToken() === undefined ? undefined : performance.timeOrigin + SESSION_MS - BEFORE_START;
