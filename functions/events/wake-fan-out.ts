import { currentTime } from '../../shared/aws/clock.ts';
import { faultOf, log } from '../../shared/aws/log.ts';
import { subscriptionsState } from '../../shared/events/webhooks/waiting-table.ts';
import type { Resource } from '../../shared/resource/resource.ts';

/** True if subscriptions can select the events of a resource. Those of subscriptions would cause others. */
export const isSelectable = ({ name }: Resource, registry: readonly Resource[]): boolean =>
  name !== 'subscriptions' && registry.some((one) => one.name === 'subscriptions');

/**
 * Wakes the fan-out if a subscription is active. A failure does not hold up the stream, because the sweeper sends a lost
 * message again.
 */
export async function wakeFanOut(): Promise<void> {
  try {
    if ((await subscriptionsState()).idleUntil > currentTime()) return;
    await (await import('../../shared/aws/clients/queue.ts')).sendFanOut();
  } catch (error) {
    log('error', { message: 'The fan-out got no message', ...faultOf(error) });
  }
}
