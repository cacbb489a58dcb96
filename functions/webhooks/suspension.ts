import { currentTime } from '../../shared/aws/clock.ts';
import { webhookConfig } from '../../shared/aws/config.ts';
import { log } from '../../shared/aws/log.ts';
import type { Head, ReceiverState } from '../../shared/events/webhooks/heads.ts';
import { START } from '../../shared/events/webhooks/waiting-table.ts';
import type { Attempted } from './attempt.ts';
import { releaseHead, removeHead } from './lease.ts';
import { changeSubscription, type Receiver } from './receiver.ts';
import { hasFailedFor } from './receiver-state.ts';
import { allWaiting, removeWaiting } from './waiting-rows.ts';

/** The most characters of the last failure in a reason. */
const MAXIMUM = 500;
/** The rows that are read at the same time. */
const TOGETHER = 20_000;

/** True if so many events wait for a receiver that its subscription ends. The number in a head can be too high. */
export const isFull = async ({ subscription, waiting }: Head): Promise<boolean> =>
  waiting >= webhookConfig.most() &&
  (await allWaiting(subscription, webhookConfig.most())).length >= webhookConfig.most();

/**
 * Why a subscription ends after an attempt; undefined: it does not. `most`: the time without success, in ms.
 *
 * Source: Specification 18.8.
 */
export function reasonAfter(state: ReceiverState, attempted: Attempted, most: number): string | undefined {
  if (attempted.kind === 'unseen') return undefined;
  const { outcome, status, reason } = attempted.answer;
  if (outcome === 'gone') return `The receiver responded with ${status}: it wants no further events`;
  if (!hasFailedFor(state, { most, now: attempted.ended })) return undefined;
  const last = reason ?? `The receiver responded with ${status}`;
  const [since, until] = [state.failingSince ?? attempted.ended, attempted.ended].map(isoOf);
  return `No attempt to deliver an event succeeded from ${since} to ${until}. The last one: ${last}`.slice(
    0,
    MAXIMUM,
  );
}

const isoOf = (ms: number): string => new Date(ms).toISOString();

/**
 * Ends the run of a subscription that gets no events now, and removes its waiting rows. `receiver`: undefined if it does not
 * exist. `reason`: why the service suspends it. The subscription then says since when events are missing.
 *
 * @throws Unavailable if DynamoDB does not respond. The next run finds a subscription that is not active.
 */
export async function endHead(taken: Head, receiver: Receiver | undefined, reason?: string): Promise<void> {
  const { subscription } = taken;
  const ended = receiver?.standing.kind === 'ended' ? receiver.standing.reason : reason;
  for (let head: Head | undefined = taken; head; ) {
    const rows = await allWaiting(subscription, TOGETHER);
    if (head === taken && receiver && ended !== undefined) {
      const since = isoOf(rows.reduce((first, { time }) => Math.min(first, time), currentTime()));
      await suspend(receiver, `${ended}. Events are missing since ${since}: /changes?since=${since}`);
    }
    await removeWaiting(receiver ? rows : [...rows, { subscription, event: START }]);
    const none = { state: { streak: 0, failures: 0 }, removed: 0, nextAt: undefined };
    head = await (receiver ? releaseHead(head, none, { unraised: true }) : removeHead(head));
  }
}

async function suspend({ id, values }: Receiver, reason: string): Promise<void> {
  await changeSubscription(id, { active: false, reason }, currentTime());
  const { host } = new URL(String(values.url));
  log('warn', { message: 'The service has suspended a subscription', subscription: id, host });
}
