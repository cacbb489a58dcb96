import { parseDigests } from '../../http/fields/digest.ts';
import { MAXIMUM_UPLOAD, MAXIMUM_VERIFIED } from '../../http/maximum-sizes.ts';
import type { Fault } from '../../http/problem.ts';
import type { AnnouncedUpload, AnnouncedUploads } from '../../representations/files/announced-file.ts';
import { mediaTypeFor } from '../../representations/files/media-type.ts';
import type { Upload } from '../../resource/sent.ts';
import type { Content } from '../content.ts';
import { type Ending, refuse } from '../ending.ts';
import type { Received } from '../exchange.ts';

const SHA256 = /^[A-Za-z0-9+/]{43}=$/;

/**
 * Reads a manifest. If any of its files is faulty, the service reports all faults at once and issues no upload
 * links.
 */
export async function readUploads(
  { resource }: Received,
  { uploads, root, faults: found }: AnnouncedUploads,
): Promise<Content | Ending<400>> {
  const names = new Set<string>();
  const faults: Fault[] = [...found];
  const wanted: Upload[] = [];
  for (const announced of uploads) {
    const { name, size, fault } = announced;
    const wrong = resource.description?.identifier.faultOf?.(name);
    if (wrong) faults.push(fault('filename', wrong));
    else if (names.has(name.normalize()))
      faults.push(fault('filename', 'repeats the name of another file in this request'));
    names.add(name.normalize());
    if (size > MAXIMUM_UPLOAD) faults.push(fault('size', `must be at most ${MAXIMUM_UPLOAD} bytes`));
    const mediaType = announced.mediaType ?? (await mediaTypeFor(undefined, { name }));
    wanted.push({ name, mediaType, size, sha256: sha256Of(announced, faults) });
  }
  const total = wanted.reduce((sum, { size }) => sum + size, 0);
  if (total > MAXIMUM_UPLOAD && wanted.length > 1)
    faults.push({ pointer: root, detail: `must have at most ${MAXIMUM_UPLOAD} bytes together` });
  if (faults.length > 0)
    return refuse('validation-error', 'The files are not valid. Correct the named properties', {
      errors: faults,
    });
  return { kind: 'uploads', uploads: wanted };
}

/** The SHA-256 in base64; undefined if the client sent no digest. */
function sha256Of({ digest, size, fault }: AnnouncedUpload, faults: Fault[]): string | undefined {
  if (digest === undefined) return undefined;
  const sha256 = parseDigests(digest)?.get('sha-256');
  if (sha256 === undefined || !SHA256.test(sha256)) {
    faults.push(fault('digest', 'must be sha-256=:…: for an upload by link'));
    return undefined;
  }
  if (size <= MAXIMUM_VERIFIED) return sha256;
  faults.push(fault('digest', `is verified for at most ${MAXIMUM_VERIFIED} bytes: leave it out`));
  return undefined;
}
