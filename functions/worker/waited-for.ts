import { reach } from '../../shared/aws/faults.ts';
import { getInput, removeInput } from '../../shared/aws/inputs.ts';
import { givenUp } from '../../shared/files/uploads/give-up.ts';
import { type Awaiting, kindOf } from '../../shared/files/uploads/record.ts';
import { type Claimed, release } from '../../shared/operations/claim.ts';
import { sentWithin } from '../../shared/operations/due.ts';
import { finish } from '../../shared/operations/finish.ts';

/** Whether it is not worked on but waited for: what its client does moves it on. */
export const isWaitedFor = ({ item }: Claimed): boolean => item.values.kind === kindOf('files');

/**
 * Ends an operation that was cancelled or waited for in vain; while there is time, it is left alone. `again`: when the
 * message comes again, should this fail, in ms since the epoch.
 *
 * @throws Unavailable when an engine does not answer: the lease was given back
 */
export async function lookAfter({ id, work, input, ...claimed }: Claimed, again: number): Promise<void> {
  try {
    const awaiting = JSON.parse(input ?? (await reach(getInput(id)))) as Awaiting;
    const end = await givenUp({ id, work, input, ...claimed }, awaiting);
    if (!end) return await release(work, awaiting.until);
    await finish(id, end, work);
    // What is left of the input expires by itself.
    if (input === undefined) await removeInput(id).catch(() => undefined);
  } catch (error) {
    await release(work, again + sentWithin()).catch(() => undefined);
    throw error;
  }
}
