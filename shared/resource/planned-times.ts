/** The days of a week, as `on` names them. */
export const WEEKDAYS = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const;

/** When a schedule runs: at a local time, or after each of so many minutes of a day in UTC. */
export type When =
  | {
      readonly kind: 'at';
      readonly hour: number;
      readonly minute: number;
      readonly zone: string;
      /** The day of the week, 0 for Sunday; undefined: each. */
      readonly weekday?: number | undefined;
      /** The day of the month; undefined: each. */
      readonly day?: number | undefined;
    }
  | { readonly kind: 'each'; readonly minutes: number };

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A month with its day is at most so many days ago. */
const LONGEST = 32;

/** A date and a time of a clock on a wall, as ms since the epoch of a clock in UTC that shows the same. */
type Shown = number;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns what the clocks of a zone show at a time. Source: ECMA-402, Intl.DateTimeFormat; the IANA time zones. */
function shownAt(zone: string, time: number): Shown {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  formats.set(zone, format);
  const part = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute);
}

/**
 * Returns the first time at which the clocks of a zone show this or, if they skip it, the next minute. Clocks differ by at
 * most a day from UTC, and move by less than three hours at once.
 */
function firstShowing(zone: string, wanted: Shown): number {
  const offsets = [wanted - DAY, wanted + DAY].map((time) => shownAt(zone, time) - time);
  const candidates = offsets.map((offset) => wanted - offset).sort((one, other) => one - other);
  const exact = candidates.find((time) => shownAt(zone, time) === wanted);
  if (exact !== undefined) return exact;
  // The later candidate is after the gap: its first minute is the first that shows more than the wanted time.
  const [before = wanted, after = wanted] = candidates;
  let [low, high] = [Math.min(before, after) - 180 * MINUTE, Math.max(before, after)];
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
    if (shownAt(zone, middle) > wanted) high = middle;
    else low = middle;
  }
  return high;
}

/** Returns the last planned time that is not after `now`. All times are ms since the epoch. */
export function latestTime(when: When, now: number): number {
  if (when.kind === 'each') return Math.floor(now / (when.minutes * MINUTE)) * when.minutes * MINUTE;
  const today = Math.floor((shownAt(when.zone, now) + DAY) / DAY) * DAY;
  for (let back = 0; back <= LONGEST; back += 1) {
    const time = timeOn(when, today - back * DAY);
    if (time !== undefined && time <= now) return time;
  }
  throw new Error('A schedule has no planned time');
}

/** Returns the first planned time after `now`. */
export function nextTime(when: When, now: number): number {
  if (when.kind === 'each') return latestTime(when, now) + when.minutes * MINUTE;
  const today = Math.floor(shownAt(when.zone, now) / DAY - 1) * DAY;
  for (let ahead = 0; ahead <= LONGEST + 1; ahead += 1) {
    const time = timeOn(when, today + ahead * DAY);
    if (time !== undefined && time > now) return time;
  }
  throw new Error('A schedule has no planned time');
}

/** Returns the planned time on a day of the calendar, or undefined. */
function timeOn(when: Extract<When, { kind: 'at' }>, date: Shown): number | undefined {
  const { hour, minute, zone, weekday, day } = when;
  const shown = new Date(date);
  if (weekday !== undefined && shown.getUTCDay() !== weekday) return undefined;
  if (day !== undefined && shown.getUTCDate() !== day) return undefined;
  return firstShowing(zone, date + (60 * hour + minute) * MINUTE);
}

/** Returns the date at a time in the zone of a schedule: `2026-12-31`. */
export const dateAt = (when: When, time: number): string =>
  new Date(shownAt(when.kind === 'at' ? when.zone : 'UTC', time)).toISOString().slice(0, 10);

/**
 * Returns the local times at which the clocks of a zone go on after they have skipped the time of a schedule, in the years
 * after `now`: `{ hour: 3, minute: 0, daysLater: 0 }` for 02:30 in Berlin. `daysLater`: 1 if the gap ends on the next day.
 * Empty if they never skip it.
 */
export function timesAfterGaps(
  { hour, minute, zone }: Extract<When, { kind: 'at' }>,
  now: number,
): readonly { readonly hour: number; readonly minute: number; readonly daysLater: number }[] {
  const found = new Map<number, { hour: number; minute: number; daysLater: number }>();
  const first = Math.floor(now / DAY) * DAY;
  for (let day = 0; day < YEARS * 366; day += 1) {
    const wanted = first + day * DAY + (60 * hour + minute) * MINUTE;
    const shown = new Date(shownAt(zone, firstShowing(zone, wanted)));
    if (shown.getTime() === wanted) continue;
    const daysLater = Math.floor(shown.getTime() / DAY) - Math.floor(wanted / DAY);
    const after = { hour: shown.getUTCHours(), minute: shown.getUTCMinutes(), daysLater };
    found.set(60 * after.hour + after.minute, after);
  }
  return [...found.values()];
}

/** Zones that move their clocks do it each year. */
const YEARS = 2;
