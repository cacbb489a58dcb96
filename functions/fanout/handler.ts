import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { EVENT_SOURCES } from '#service';
import { sendFanOut } from '../../shared/aws/clients/queue.ts';
import { currentTime } from '../../shared/aws/clock.ts';
import { mapConcurrently } from '../../shared/concurrency/map-concurrently.ts';
import { LONGEST_IDLE_MS, subscriptionsState } from '../../shared/events/webhooks/waiting-table.ts';
import { observeBackground } from '../../shared/lambda/logs/observe.ts';
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
async function fanOut(): Promise<void> {
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

/**
 * Makes a waiting row for each change in the log and each subscription that selects it. A message says only that the log
 * has grown, so one run is for all messages. If an engine does not respond, SQS delivers them again.
 *
 * Source: Specification 18.1, 18.9.
 */
export const handler = observeBackground('fanout', async (_: SQSEvent): Promise<SQSBatchResponse> => {
  await fanOut();
  return { batchItemFailures: [] };
});
