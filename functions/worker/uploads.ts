import { orUnavailable } from '../../shared/aws/faults.ts';
import { getInput, removeInput } from '../../shared/aws/inputs.ts';
import { endOfAbandonedUpload } from '../../shared/files/uploads/abandoned.ts';
import { type Awaiting, kindOf } from '../../shared/files/uploads/record.ts';
import { type Claimed, release } from '../../shared/operations/claim.ts';
import { finish } from '../../shared/operations/finish.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** The resource whose operations wait for their client. */
const FILES = 'files';

/** Whether the operation waits for uploads of its client: no worker moves it on. */
export const isUpload = ({ item }: Claimed): boolean => item.values.kind === kindOf(FILES);

/**
 * Ends an operation that its client cancelled, or whose time is over. While there is time, it only gives the lease back.
 * `deadline`: when this run has to be done, in ms since the epoch; undefined when earlier runs died at the last look.
 *
 * @throws Unavailable when an engine does not answer
 */
export async function resumeUpload(
  registry: readonly Resource[],
  claimed: Claimed,
  deadline: number | undefined,
): Promise<void> {
  const { id, work, input } = claimed;
  const resource = registry.find(({ name }) => name === FILES) as Resource;
  const awaiting = JSON.parse(input ?? (await orUnavailable(getInput(id)))) as Awaiting;
  const end = await endOfAbandonedUpload(resource, claimed, awaiting, deadline);
  if (!end) return await release(work, awaiting.until);
  await finish(id, end, work);
  // S3 removes an input that stays.
  if (input === undefined) await removeInput(id).catch(() => undefined);
}
