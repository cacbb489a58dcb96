import { uploading } from '../../shared/files/uploads/announce/fields.ts';
import { signedLinks } from '../../shared/files/uploads/announce/signed.ts';
import type { Awaiting } from '../../shared/files/uploads/record.ts';
import { waitingFor } from '../../shared/operations/running/part-tracker.ts';
import type { Outcome } from '../../shared/resource/actions/outcome.ts';

/**
 * Signs the upload links of an operation again, for the files that have not arrived. It changes nothing, so a
 * repetition is harmless, and all sets of links work at the same time. Returns what the response shows; undefined if
 * the operation waits for no files any more. `now` in ms since the epoch.
 *
 * Source: Specification 5.15.
 * @throws Unavailable when S3 or DynamoDB does not respond
 */
export async function renewed(
  id: number,
  now: number,
): Promise<Pick<Extract<Outcome, { kind: 'accepted' }>, 'of' | 'more'> | undefined> {
  const waiting = await waitingFor(id);
  if (!waiting) return undefined;
  const awaiting: Awaiting = JSON.parse(waiting.input);
  if (awaiting.until <= now) return undefined;
  return { of: uploading, more: { uploads: await signedLinks(id, awaiting, now, waiting.settled) } };
}
