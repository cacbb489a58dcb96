const dayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const longDayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthNames = 'JanFebMarAprMayJunJulAugSepOctNovDec';
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const imfFixdate = /^(\w{3}), (\d\d) (\w{3}) (\d{4}) (\d\d):(\d\d):(\d\d) GMT$/;
const rfc850 = /^(\w{6,9}), (\d\d)-(\w{3})-(\d\d) (\d\d):(\d\d):(\d\d) GMT$/;
const asctime = /^(\w{3}) (\w{3}) (\d\d| \d) (\d\d):(\d\d):(\d\d) (\d{4})$/;

/** Longer than any HTTP-date ("Wednesday, 06-Nov-94 08:49:37 GMT"). */
const LONGEST = 33;
const DAY = 86_400_000;

/**
 * Reads an HTTP-date as ms since 1970 UTC; undefined if it is malformed. The formats are IMF-fixdate, RFC 850 and
 * asctime, with names in their exact case. The day must exist and have the right name (RFC 5322 §3.3). The leap
 * second 60 counts as second 0 of the next minute. A two-digit year is the latest one that is at most 50 years
 * after `nowMs`. Without `nowMs`, it is between 1970 and 2069.
 *
 * Source: RFC 9110 §5.6.7.
 */
export function parseHttpDate(text: string, nowMs?: number): number | undefined {
  if (text.length > LONGEST) return undefined;
  let m = imfFixdate.exec(text);
  if (m !== null) return instant(dayNames, m[1], Number(m[4]), m[3], m[2], m[5], m[6], m[7]);
  m = rfc850.exec(text);
  if (m !== null) return recent(m, nowMs);
  m = asctime.exec(text);
  if (m !== null) return instant(dayNames, m[1], Number(m[7]), m[2], m[3], m[4], m[5], m[6]);
  return undefined;
}

/**
 * A time as IMF-fixdate: `Sun, 06 Nov 1994 08:49:37 GMT`, without fractions of a second. `ms` is since 1970 UTC and
 * within the years 0 to 9999. Source: RFC 9110 §5.6.7.
 */
export function formatHttpDate(ms: number): string {
  return new Date(ms).toUTCString();
}

/**
 * The date that `Last-Modified` gives for a time: the beginning of the next second, in ms. No later change has the same date,
 * so a client with dates misses none.
 *
 * Source: RFC 9110 §8.8.2.2; Specification 3.10.
 */
export const modificationDate = (time: number): number => (Math.floor(time / 1000) + 1) * 1000;

/** The value of `Last-Modified`; undefined before its second has begun. Source: RFC 9110 §8.8.2.1. */
export function formatModificationDate(time: number, now: number): string | undefined {
  const date = modificationDate(time);
  return date <= now ? formatHttpDate(date) : undefined;
}

/** The time of an RFC 850 date, with the century that fits. */
function recent(m: RegExpExecArray, nowMs: number | undefined): number | undefined {
  const yy = Number(m[4]);
  const of = (year: number) => instant(longDayNames, m[1], year, m[3], m[2], m[5], m[6], m[7]);
  if (nowMs === undefined) return of(yy < 70 ? 2000 + yy : 1900 + yy);
  const limit = new Date(nowMs);
  limit.setUTCFullYear(limit.getUTCFullYear() + 50);
  let year = limit.getUTCFullYear() - (limit.getUTCFullYear() % 100) + yy;
  if (year > limit.getUTCFullYear()) year -= 100;
  // In the last possible year, the exact time decides. `instant` checks the name of the day in the chosen year.
  const late = year === limit.getUTCFullYear() && beyond(m, year, limit.getTime());
  return of(late ? year - 100 : year);
}

/** True if the parts of an RFC 850 date, in a given year, are later than a time. */
function beyond(m: RegExpExecArray, year: number, ms: number): boolean {
  const month = monthNames.indexOf(m[3] ?? '') / 3;
  return Date.UTC(year, month, Number(m[2]), Number(m[5]), Number(m[6]), Number(m[7])) > ms;
}

/** The time of the given parts; undefined if it does not exist. */
function instant(
  names: readonly string[],
  dayName: string | undefined,
  year: number,
  monthName = '',
  dayText = '',
  hourText = '',
  minuteText = '',
  secondText = '',
): number | undefined {
  const month = monthNames.indexOf(monthName);
  const day = Number(dayText);
  const hour = Number(hourText);
  const minute = Number(minuteText);
  const second = Number(secondText);
  if (month < 0 || month % 3 !== 0 || hour > 23 || minute > 59 || second > 60) return undefined;
  if (day < 1 || day > daysIn(year, month / 3)) return undefined;
  const days = daysSinceEpoch(year, month / 3, day);
  if (names[(((days + 4) % 7) + 7) % 7] !== dayName) return undefined;
  return days * DAY + ((hour * 60 + minute) * 60 + second) * 1000;
}

/** The number of days in a month (0 is January) of the Gregorian calendar. */
function daysIn(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 1 && leap ? 29 : (monthDays[month] ?? 0);
}

/** Days since 1970-01-01. `Date.UTC` would read the years 0 to 99 as 1900 to 1999. */
function daysSinceEpoch(year: number, month: number, day: number): number {
  return year >= 100 ? Date.UTC(year, month, day) / DAY : Date.UTC(year + 400, month, day) / DAY - 146_097; // days in 400 years
}
