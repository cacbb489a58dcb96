import { SERVICE } from '../shared/resource/access/owner.ts';
import type { Needs, SettingsOf } from '../shared/resource/needs.ts';
import { dateAt, WEEKDAYS, type When } from '../shared/resource/planned-times.ts';
import { defineSchedule, type Schedule } from '../shared/resource/schedule.ts';
import type { ActionItems } from './actions.ts';
import type { Definition, FieldsOf } from './definition.ts';
import { usesOf } from './describe.ts';
import type { Reader } from './reading/code-reading.ts';
import { type Each, type ResumableReading, resumableReading } from './reading/resumable-lists.ts';

/** When a schedule runs. One of `at`, `hours` and `minutes` is given. */
interface Times {
  /** A local time, such as `02:00`, each day. A time that clocks skip runs at the next minute, and one that they repeat once. */
  readonly at?: string;
  /** The zone of `at`, such as `Europe/Berlin`. Without it, UTC. */
  readonly zone?: string;
  /** Only on this day of the week. It needs `at`. */
  readonly on?: (typeof WEEKDAYS)[number];
  /** Only on this day of the month, 1 to 28. It needs `at`. */
  readonly day?: number;
  /** Each so many hours of a day in UTC: a divisor of 24. */
  readonly hours?: number;
  /** Each so many minutes of an hour: a divisor of 60. */
  readonly minutes?: number;
}

/** The names of resources. */
type NamesOf<All extends readonly Definition[]> = All[number]['name'];

/** The items of the first resource in `writes`, with `of` for the others. */
type ItemsOf<Writes extends readonly Definition[]> = Writes extends readonly [
  infer First extends Definition,
  ...Definition[],
]
  ? ActionItems<FieldsOf<First>, NamesOf<Writes>>
  : 'Add a resource to writes';

/** What the code of a schedule gets. */
type RunInput<R extends string, Writes extends readonly Definition[], N> = ResumableReading<
  never,
  unknown,
  R | NamesOf<Writes>
> &
  SettingsOf<N> & {
    /** The planned time, RFC 3339 in UTC: the same in each attempt, so it is a key for effects that must happen once. */
    readonly time: string;
    /** The date of the planned time in `zone`: `2026-12-31`. */
    readonly today: string;
    /** Commits with the end of the run, once. For many items, use `each`. */
    readonly items: ItemsOf<Writes>;
    readonly each: Each<ItemsOf<Writes>>;
  };

/** The facts of a schedule. */
interface ScheduleFacts<R extends string, Writes extends readonly Definition[], N extends Needs>
  extends Times {
  /** What it does, in one or two sentences for people. */
  readonly about: string;
  /** The resources whose items the code reads. */
  readonly reads?: readonly Definition<R>[];
  /** The resources whose items the code changes. `items` has those of the first one. */
  readonly writes?: Writes;
  /** The variables, secrets and permissions on AWS that the code needs. */
  readonly needs?: N;
  /** The code. It must end within five minutes, except for what it does in `each`. */
  run(input: RunInput<R, Writes, N>): Promise<void> | void;
}

/**
 * Defines code that runs at planned times: each at least once, and one run at a time. `name`: in the names of the function,
 * the queue and its operations.
 *
 * Source: docs/resources.md, "Run at a time".
 * @throws Error with a sentence, if the times are wrong
 */
export function every<
  const Name extends string,
  R extends string = never,
  const Writes extends readonly Definition[] = readonly [],
  // biome-ignore lint/complexity/noBannedTypes: without the fact, no name is stated
  const N extends Needs = {},
>(name: Name, facts: ScheduleFacts<R, Writes, N>): Schedule {
  const { about, reads = [], writes = [], needs } = facts;
  const when = whenOf(name, facts);
  const owned = writes.find(({ owner }) => owner !== undefined);
  if (owned)
    throw new Error(
      `The schedule '${name}' writes ${owned.name}, whose items have owners, and a schedule owns nothing: remove it from writes.`,
    );
  const reader: Reader = { name, resources: () => [...reads, ...writes] };
  const reading = resumableReading(reader, SERVICE);
  const code: { run(input: object): Promise<void> | void } = facts;
  return defineSchedule({
    name,
    about,
    when,
    uses: usesOf({}, { reads, writes }),
    writes,
    ...(needs ? { needs } : {}),
    run: async ({ settings, time, ...tools }) =>
      code.run({
        ...tools,
        ...settings,
        ...reading,
        time: new Date(time).toISOString(),
        today: dateAt(when, time),
      }),
  });
}

/** Returns the times as the service computes them. @throws Error with a sentence, if they are wrong */
function whenOf(name: string, { at, zone, on, day, hours, minutes }: Times): When {
  const wrong = (sentence: string) => new Error(`The schedule '${name}' ${sentence}.`);
  const given = [at, hours, minutes].filter((one) => one !== undefined);
  if (given.length !== 1) throw wrong('needs one of at, hours and minutes');
  if (at === undefined) {
    const stated = Object.entries({ zone, on, day }).find(([, value]) => value !== undefined);
    if (stated) throw wrong(`has ${stated[0]}, which belongs to at: remove it, or use at`);
    const [count = 0, all, unit] = hours === undefined ? [minutes, 60, 'minutes'] : [hours, 24, 'hours'];
    if (!Number.isInteger(count) || count < 1 || all % count !== 0)
      throw wrong(`runs each ${count} ${unit}: use a divisor of ${all}`);
    return { kind: 'each', minutes: hours === undefined ? count : 60 * count };
  }
  const [, hour, minute] = /^([01][0-9]|2[0-3]):([0-5][0-9])$/.exec(at) ?? [];
  if (hour === undefined) throw wrong(`runs at '${at}': use a time from 00:00 to 23:59, such as 02:00`);
  if (zone !== undefined && !isZone(zone))
    throw wrong(`has the unknown zone '${zone}': use a name like Europe/Berlin`);
  if (on !== undefined && day !== undefined) throw wrong('has on and day: remove one of them');
  const weekday = on === undefined ? undefined : WEEKDAYS.indexOf(on);
  if (weekday === -1) throw wrong(`runs on '${on}': use one of ${WEEKDAYS.join(', ')}`);
  if (day !== undefined && !(Number.isInteger(day) && day >= 1 && day <= 28))
    throw wrong(`runs on the day ${day} of a month: use 1 to 28, which each month has`);
  return { kind: 'at', hour: Number(hour), minute: Number(minute), zone: zone ?? 'UTC', weekday, day };
}

function isZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone });
    return true;
  } catch {
    return false;
  }
}
