import type { Outcome } from '../../resource/actions/outcome.ts';
import type { Item } from '../../resource/item.ts';
import type { LinkFact } from '../../resource/link.ts';
import { resource } from '../../resource/resource.ts';
import { description, FINAL, handlerOf, isFinal, type Status } from './fields.ts';

/** True if the operation waits for its client, for example for uploads. The service then does not wait for its end. */
export const awaitsClient = (item: Item): boolean => handlerOf(item) === 'upload' && !isFinal(item);

/** True if a client of the operation can get new upload links. */
export const needsLinks = (item: Item): boolean =>
  handlerOf(item) === 'upload' && item.values.status === ('Running' satisfies Status);

/** The states in which a client can cancel an operation. */
const CANCELABLE: readonly unknown[] = ['NotStarted', 'Running'] satisfies Status[];

/**
 * The definition of operations, which every function needs for `202 Accepted`. The function of operations adds routes
 * and actions.
 */
export const OPERATION_FACTS = {
  name: 'operations',
  title: 'Operations',
  about: 'Work that continues after the response: its progress, its result and a link that cancels it.',
  description,
  tracked: { removal: 'cancel' },
  events: { field: 'status', finals: FINAL },
  table: { partitions: ['_owner'], whole: false, due: true, timeToLive: '_expires' },
  links: (item: Item): LinkFact[] => {
    const { id, values, internal } = item;
    return [
      ...(CANCELABLE.includes(values.status)
        ? [{ rel: 'cancel', href: `/operations/${id}`, method: 'DELETE' } as const]
        : []),
      ...(needsLinks(item)
        ? [{ rel: 'renew', href: `/operations/${id}/links`, method: 'POST' } as const]
        : []),
      ...(internal.location === undefined ? [] : [{ rel: 'result', href: String(internal.location) }]),
    ];
  },
} as const;

/** The resource for functions that start operations. It has no routes. */
export const storedOperations = resource({ ...OPERATION_FACTS, routes: () => [] });

/** Returns the path of an operation's status. */
export const pathOf = (id: number | string): string => `/${OPERATION_FACTS.name}/${id}`;

/** Returns the outcome that shows an operation to its client. `retryAfter` is in seconds; undefined after the end. */
export const acceptedOutcome = (item: Item): Extract<Outcome, { kind: 'accepted' }> => ({
  kind: 'accepted',
  of: storedOperations,
  item,
  location: pathOf(item.id),
  retryAfter: isFinal(item) ? undefined : 1,
});
