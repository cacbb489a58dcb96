import type { Item } from '../resource/item.ts';
import type { LinkFact } from '../resource/link.ts';
import { resource } from '../resource/resource.ts';
import { description, FINAL, isFinal, STATUSES, type Status } from './fields.ts';

/** The states that can be left by cancelling. */
const CANCELABLE: readonly unknown[] = ['NotStarted', 'Running'] satisfies Status[];

/** What every function that answers `202 Accepted` knows of operations; their own function adds routes and actions. */
export const FACTS = {
  name: 'operations',
  title: 'Operations',
  about:
    'Work that goes on after its request was answered: how far it is, what became of it, how to cancel it.',
  description,
  volatile: true,
  removal: 'cancel',
  events: { field: 'status', finals: FINAL },
  choices: { status: { field: 'status', among: STATUSES } },
  table: { partitions: ['_owner'], whole: false, due: true, timeToLive: '_expires' },
  links: ({ id, values, internal }: Item): LinkFact[] => [
    ...(CANCELABLE.includes(values.status)
      ? [{ rel: 'cancel', href: `/operations/${id}`, method: 'DELETE' } as const]
      : []),
    ...(internal.location === undefined ? [] : [{ rel: 'result', href: String(internal.location) }]),
  ],
} as const;

/** Whether an operation waits for its client, as for uploads: the service does not wait for it in turn. */
export const awaitsClient = (item: Item): boolean => item.internal.waits !== undefined && !isFinal(item);

/** Operations as those see them who only start them. */
export const operations = resource({ ...FACTS, routes: [], actions: () => ({}) });

/** The path of an operation's status. */
export const pathOf = (id: number | string): string => `/${FACTS.name}/${id}`;
