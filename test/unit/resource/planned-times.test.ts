import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  dateAt,
  latestTime,
  nextTime,
  timesAfterGaps,
  type When,
} from '../../../shared/resource/planned-times.ts';

const at = (hour: number, minute: number, zone: string, more: object = {}): When => ({
  kind: 'at',
  hour,
  minute,
  zone,
  ...more,
});
const time = (text: string) => Date.parse(text);

// Specification 21.2. Clocks of Berlin skip 02:00 to 03:00 on 2026-03-29, and repeat it on 2026-10-25.
describe.each([
  [
    'an ordinary day',
    at(2, 0, 'Europe/Berlin'),
    '2026-11-28T12:00:00Z',
    '2026-11-28T01:00:00Z',
    '2026-11-29T01:00:00Z',
  ],
  [
    'a time that is skipped',
    at(2, 30, 'Europe/Berlin'),
    '2026-03-29T12:00:00Z',
    '2026-03-29T01:00:00Z',
    '2026-03-30T00:30:00Z',
  ],
  [
    'a time that occurs twice',
    at(2, 30, 'Europe/Berlin'),
    '2026-10-25T12:00:00Z',
    '2026-10-25T00:30:00Z',
    '2026-10-26T01:30:00Z',
  ],
  [
    'half an hour',
    at(2, 15, 'Australia/Lord_Howe'),
    '2026-10-04T12:00:00Z',
    '2026-10-03T15:30:00Z',
    '2026-10-04T15:15:00Z',
  ],
  [
    'a zone far in the east',
    at(0, 5, 'Pacific/Kiritimati'),
    '2026-11-28T10:05:00Z',
    '2026-11-28T10:05:00Z',
    '2026-11-29T10:05:00Z',
  ],
  [
    'a day of the week',
    at(9, 0, 'UTC', { weekday: 1 }),
    '2026-11-28T12:00:00Z',
    '2026-11-23T09:00:00Z',
    '2026-11-30T09:00:00Z',
  ],
  [
    'a day of the month',
    at(9, 0, 'UTC', { day: 1 }),
    '2026-11-28T12:00:00Z',
    '2026-11-01T09:00:00Z',
    '2026-12-01T09:00:00Z',
  ],
  [
    'minutes',
    { kind: 'each', minutes: 15 } as When,
    '2026-11-28T12:14:59Z',
    '2026-11-28T12:00:00Z',
    '2026-11-28T12:15:00Z',
  ],
  [
    'hours',
    { kind: 'each', minutes: 360 } as When,
    '2026-11-28T12:00:00Z',
    '2026-11-28T12:00:00Z',
    '2026-11-28T18:00:00Z',
  ],
])('%s', (_what, when, now, latest, next) => {
  test('has a time before and a time after', () => {
    expect(new Date(latestTime(when, time(now)))).toEqual(new Date(latest));
    expect(new Date(nextTime(when, time(now)))).toEqual(new Date(next));
  });
});

test('each planned time has the next one after it, and no other between them', () => {
  const zone = fc.constantFrom(
    'Europe/Berlin',
    'America/New_York',
    'UTC',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
  );
  const when = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), zone)
    .map(([hour, minute, name]) => at(hour, minute, name));
  const now = fc.integer({ min: time('2026-01-01T00:00:00Z'), max: time('2028-12-31T00:00:00Z') });
  fc.assert(
    fc.property(when, now, (one, moment) => {
      const latest = latestTime(one, moment);
      const next = nextTime(one, moment);
      expect(latest).toBeLessThanOrEqual(moment);
      expect(next).toBeGreaterThan(moment);
      expect(nextTime(one, latest)).toBe(next);
      expect(latestTime(one, next)).toBe(next);
      expect(next - latest).toBeLessThanOrEqual(25 * 3_600_000);
    }),
    { numRuns: 200 },
  );
});

test('the date is that of the zone', () => {
  expect(dateAt(at(2, 0, 'Europe/Berlin'), time('2026-11-27T23:30:00Z'))).toBe('2026-11-28');
  expect(dateAt({ kind: 'each', minutes: 60 }, time('2026-11-27T23:30:00Z'))).toBe('2026-11-27');
});

test('the local time after a gap is known in advance', () => {
  const now = time('2026-11-28T00:00:00Z');
  const gaps = (hour: number, minute: number, zone: string) =>
    timesAfterGaps({ kind: 'at', hour, minute, zone }, now);
  expect(gaps(2, 30, 'Europe/Berlin')).toEqual([{ hour: 3, minute: 0, daysLater: 0 }]);
  expect(gaps(3, 0, 'Europe/Berlin')).toEqual([]);
  expect(gaps(2, 0, 'America/New_York')).toEqual([{ hour: 3, minute: 0, daysLater: 0 }]);
  expect(gaps(23, 30, 'America/Nuuk')).toEqual([{ hour: 0, minute: 0, daysLater: 1 }]);
  expect(gaps(2, 30, 'UTC')).toEqual([]);
});
