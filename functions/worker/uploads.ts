import { orUnavailable } from '../../shared/aws/faults.ts';
import type { Awaiting } from '../../shared/files/uploads/record.ts';
import { getInput, removeInput } from '../../shared/operations/record/long-inputs.ts';
import { finish } from '../../shared/operations/running/finish.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { endOfAbandonedUpload } from './abandoned.ts';
import { type Claimed, release } from './claim.ts';

/**
 * Ends an upload operation if its client canceled it or its links expired. Otherwise it only releases the lease.
 * `deadline`: the end of this run, in ms since the epoch. It is undefined if earlier runs crashed while they published
 * late uploads; this run then leaves that out.
 *
 * @throws Unavailable when an engine does not respond
 */
export async function resumeUpload(
  files: Resource,
  claimed: Claimed,
  deadline: number | undefined,
): Promise<void> {
  const { id, work, input } = claimed;
  const awaiting = JSON.parse(input ?? (await orUnavailable(getInput(id)))) as Awaiting;
  const end = await endOfAbandonedUpload(files, claimed, awaiting, deadline);
  if (!end) return await release(work, awaiting.until);
  await finish(id, end, { kind: 'lease', lease: work.lease });
  // If this removal fails, S3 expires the input.
  if (input === undefined) await removeInput(id).catch(() => undefined);
}
