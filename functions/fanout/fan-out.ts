import { EVENT_SOURCES } from '#service';
import { sendFanOut } from '../../shared/aws/clients/webhook-queues.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { LONGEST_IDLE_MS, subscriptionsState } from '../../shared/events/webhooks/waiting-table.ts';
import { advance } from './advance.ts';
import { followersAt } from './followers.ts';
import { noteIdle, partitionsBehind } from './positions.ts';

/** The time of a run, in ms. */
const RUN_MS = 20_000;
/** The partitions that a run follows at the same time. */
const TOGETHER = 4;

/**
 * Follows the log of changes until its end, or for 20 s. Another run can have a partition: it looks at the end again when it
 * leaves, so no change is lost between them.
 *
 * @throws Unavailable if DynamoDB or SQS does not respond
 */
export async function fanOut(): Promise<void> {
  const until = currentTime() + RUN_MS;
  const sources = new Set(EVENT_SOURCES.map(({ collection }) => collection));
  for (;;) {
    const now = currentTime();
    const state = await subscriptionsState();
    const followers = await followersAt(state, now);
    if (followers.length === 0) return noteIdle(state, now + LONGEST_IDLE_MS);
    const behind = await partitionsBehind((resource) => sources.has(resource));
    const moved = await mapConcurrently(TOGETHER, behind, (one) => advance(one, followers));
    if (!moved.includes(true)) return;
    if (currentTime() >= until) return sendFanOut();
  }
}
