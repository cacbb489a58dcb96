import type { Caller } from './access/owner.ts';
import type { Item } from './item.ts';
import type { Needs } from './needs.ts';
import type { When } from './planned-times.ts';
import type { Resource } from './resource.ts';

/** What code gets that can go on in another invocation: that of a schedule or of a long action. */
export interface RunTools {
  /** Calls code for each item, with a unit of its own, and goes on where an earlier run has stopped. */
  readonly each: (
    source: AsyncIterable<unknown>,
    code: (item: unknown, tools: { readonly items: unknown }) => unknown,
  ) => Promise<void>;
  /** The items of the first resource that it writes; undefined if it writes none. */
  readonly items: unknown;
}

/** What the code of a schedule gets. `time`: ms since the epoch. `settings`: reads what `needs` names. */
interface ScheduleTools extends RunTools {
  readonly time: number;
  readonly caller: Caller;
  readonly settings: object | undefined;
}

/** A schedule: code of an author that runs at planned times. */
export interface Schedule {
  readonly name: string;
  readonly about: string;
  readonly when: When;
  /** The other resources that its code uses, as those of the code of a resource. */
  readonly uses: Resource['uses'];
  /** The resources whose items it changes. */
  readonly writes: readonly Resource[];
  readonly needs?: Needs;
  readonly run: (tools: ScheduleTools) => Promise<void>;
}

const defined = new WeakSet<object>();

/** Marks a schedule, so that the service finds it among the exports of a file. */
export function defineSchedule(schedule: Schedule): Schedule {
  defined.add(schedule);
  return schedule;
}

/** True for the definition of a schedule. */
export const isSchedule = (value: unknown): value is Schedule =>
  typeof value === 'object' && value !== null && defined.has(value);

/** Returns the name of the function of a schedule: `reminders-schedule`. */
export const scheduleFunction = ({ name }: Pick<Schedule, 'name'>): string => `${name}-schedule`;

/** Returns the name in place of a caller's that owns the runs of a schedule. No subject of a token has this form. */
export const runnerOf = (name: string): string => `\u0000schedule ${name}`;

/** A list with an order of its own or a limit: no other invocation could find its place there, so `each` refuses it. */
export class PlainList {
  readonly #items: AsyncIterable<Item>;

  constructor(items: AsyncIterable<Item>) {
    this.#items = items;
  }

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return this.#items[Symbol.asyncIterator]();
  }
}

/** A list that `each` can continue. */
export class ResumableList {
  readonly resource: Resource;
  /** Reads the items with these further filters, in the order of identifiers. */
  readonly read: (more: Readonly<Record<string, unknown>>) => AsyncIterable<Item>;
  /** True if an item meets the filters now. */
  readonly meets: (item: Item) => Promise<boolean>;

  constructor(given: Pick<ResumableList, 'resource' | 'read' | 'meets'>) {
    this.resource = given.resource;
    this.read = given.read;
    this.meets = given.meets;
  }

  [Symbol.asyncIterator](): AsyncIterator<Item> {
    return this.read({})[Symbol.asyncIterator]();
  }
}
