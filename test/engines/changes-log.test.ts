import { beforeEach, describe, expect, test } from '@jest/globals';
import { beginning, follow } from '../../functions/changes/follow.ts';
import { locate, type Start } from '../../functions/changes/places.ts';
import { append, type Committed } from '../../functions/events/append.ts';
import { metering, noUsage } from '../../shared/aws/meter.ts';
import { partitionsOf } from '../../shared/store/form/log-table.ts';
import { testTime, withTimePassed } from '../support/clock.ts';
import { atLeastOne } from '../support/expectations/at-least-one.ts';
import { attached } from './attached.ts';

attached((call, pass) => pass(...call));

const DAY = 86_400_000;
const resource = { name: 'members', history: { days: 30 } };

let id = 0;
beforeEach(() => {
  id += 1000;
});

const change = (more: Partial<Committed> = {}): Committed => ({
  resource,
  id,
  version: 1,
  before: undefined,
  time: Date.now(),
  event: '{}',
  image: { name: { S: 'a' } },
  ...more,
});

/** The places at the present end of the log, or `ago` ms before. */
const placesAt = (time = Date.now()): Start[] =>
  partitionsOf(resource).map((partition) => ({
    resource: resource.name,
    partition,
    days: 30,
    after: time * 1000 - 1,
    needs: time * 1000,
  }));

/** Reads from these places to the end. Returns the events, the places after them, or `gone`. */
async function read(starts: readonly Start[], count = 100) {
  const places = await locate(starts);
  if (!places) return 'gone';
  const after = new Map(places.map((one) => [one.partition, one.after]));
  const events: string[] = [];
  for await (const row of follow(places, { count, budget: { rows: 10_000, keep: 0 }, now: Date.now() })) {
    if (row.kind === 'gone') return 'gone';
    events.push(row.event);
    after.set(row.partition, row.position);
  }
  return { events, places: places.map((one) => ({ ...one, after: after.get(one.partition) ?? 0 })) };
}

// Specification 17.6
describe('the log', () => {
  test('has each change once and those of one item in order, also if batches repeat at the same time', async () => {
    const before = placesAt();
    const numbers = Array.from({ length: 120 }, (_, at) => at);
    const changes = numbers.map((at) =>
      change({ id: id + (at % 7), version: 1 + Math.floor(at / 7), event: JSON.stringify([at % 7, at]) }),
    );
    const halves = [changes.slice(0, 60), changes.slice(0, 60), changes.slice(0, 30)];
    await Promise.all(halves.map((some) => append(some)));
    await Promise.all([append(changes), append(changes.slice(50))]);
    const result = await read(before);
    if (result === 'gone') throw new Error(result);
    const seen = result.events.map((event) => JSON.parse(event) as [item: number, at: number]);
    expect(seen.map(([, at]) => at).sort((a, b) => a - b)).toEqual(numbers);
    for (const item of atLeastOne(numbers.slice(0, 7))) {
      const ofItem = seen.filter(([one]) => one === item).map(([, at]) => at);
      expect(ofItem).toEqual([...ofItem].sort((a, b) => a - b));
    }
    expect(await read(result.places)).toEqual({ ...result, events: [] });
  });

  test('loses no change to a reader beside writers', async () => {
    let places = placesAt();
    const seen: string[] = [];
    const writers = Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        for (let version = 1; version <= 20; version += 1)
          await append([change({ id: id + writer, version, event: `${writer} ${version}` })]);
      }),
    );
    const look = async () => {
      const result = await read(places);
      if (result === 'gone') throw new Error(result);
      seen.push(...result.events);
      places = result.places;
    };
    let isDone = false;
    const reader = (async () => {
      while (!isDone) await look();
    })();
    await writers;
    isDone = true;
    await reader;
    await look();
    expect(seen).toHaveLength(120);
    expect(new Set(seen).size).toBe(120);
  });

  test('takes the first change after an import of a removed item, whose version is lower', async () => {
    const before = placesAt();
    await append([change({ version: 9, event: 'removed', time: Date.now() - 1000 })]);
    await append([change({ version: 6, event: 'changed after the import' })]);
    expect(await read(before)).toMatchObject({ events: ['removed', 'changed after the import'] });
  });

  // Specification 17.7
  test('begins a new epoch if it lacks versions, and only then', async () => {
    const time = Date.now();
    const epochs = async () => ((await locate(placesAt())) ?? []).map(({ epoch }) => epoch);
    const next = (version: number, more: Partial<Committed> = {}) =>
      change({ version, before: { version: version - 1, time }, ...more });
    const first = await epochs();
    expect(await append([change({ version: 1 })])).toEqual([]);
    const start = await read(placesAt(time - 1000));
    expect(await append([next(2)])).toEqual([]);
    // A batch can have several changes of an item.
    expect(await append([next(3), next(4)])).toEqual([]);
    // An item that has not changed since the history began.
    expect(await append([next(8, { id: id + 1, before: { version: 7, time: time - 31 * DAY } })])).toEqual(
      [],
    );
    expect(await epochs()).toEqual(first);
    const before = await read(placesAt(time - 1000));
    expect(await append([next(7)])).toEqual([{ resource: 'members', id, last: 4, before: 6 }]);
    expect(await epochs()).not.toEqual(first);
    for (const result of [start, before]) {
      if (typeof result === 'string') throw new Error(result);
      expect(await read(result.places)).toBe('gone');
    }
    // So does a version in the days of the history, of an item of which the log has nothing.
    const second = await epochs();
    await new Promise((later) => setTimeout(later, 2));
    const now = Date.now();
    const lost = next(3, { id: id + 2, before: { version: 2, time: now } });
    expect(await append([lost])).toEqual([{ resource: 'members', id: id + 2, last: undefined, before: 2 }]);
    expect(await epochs()).not.toEqual(second);
  });

  test('writes large changes in several transactions', async () => {
    const before = placesAt();
    const image = { name: { S: 'é'.repeat(150_000) } };
    await append(Array.from({ length: 15 }, (_, at) => change({ version: at + 1, image, event: `${at}` })));
    expect(await read(before)).toMatchObject({ events: Array.from({ length: 15 }, (_, at) => `${at}`) });
  });
});

// Specification 17.7
describe('a place older than the history', () => {
  test('is gone if the log has lost a change after it, and only then', async () => {
    const before = placesAt();
    await append([change({ event: 'first' })]);
    const between = placesAt(Date.now() + 1);
    await withTimePassed(20 * DAY, () => append([change({ version: 2, event: 'second' })]));
    const all = async (starts: readonly Start[]) => {
      const events: string[] = [];
      for await (const row of follow((await locate(starts)) ?? [], {
        count: 10,
        budget: { rows: 100, keep: 0 },
        now: testTime(),
      }))
        events.push(row.kind === 'gone' ? 'gone' : row.event);
      return events;
    };
    await withTimePassed(30 * DAY, async () => expect(await all(before)).toEqual(['first', 'second']));
    await withTimePassed(32 * DAY, async () => {
      expect(await all(before)).toEqual(['gone']);
      expect(await all(between)).toEqual(['second']);
    });
    await withTimePassed(52 * DAY, async () => expect(await all(between)).toEqual(['gone']));
    const start = placesAt().map((one) => ({ ...one, after: beginning(30, Date.now() + 52 * DAY) }));
    await withTimePassed(52 * DAY, async () => expect(await all(start)).toEqual([]));
    // A place that a time chose is that of the last change before, which ages with the log.
    const quiet = await withTimePassed(52 * DAY, () =>
      locate(start.map((one) => ({ ...one, isByTime: true }))),
    );
    await withTimePassed(53 * DAY, async () =>
      expect(
        await locate(start.map((one) => ({ ...one, after: one.after + DAY * 1000, isByTime: true }))),
      ).toMatchObject(atLeastOne(quiet ?? []).map(({ after }) => ({ after }))),
    );
    await withTimePassed(120 * DAY, () => append([change({ version: 3, event: 'third' })]));
    await withTimePassed(121 * DAY, async () => expect(await all(quiet ?? [])).toEqual(['third']));
  });
});

/** Changes of a long log. `CHANGES=1000000` repeats the proof at full length, in some minutes. */
const MANY = Number(process.env.CHANGES ?? 4000);

test('a page takes the same units however long the log is', async () => {
  const units = async () => {
    const usage = noUsage();
    const start = placesAt(Date.now() - DAY).map((one) => ({ ...one, needs: undefined }));
    await metering(usage, async () => {
      let count = 0;
      for await (const _ of follow((await locate(start)) ?? [], {
        count: 100,
        budget: { rows: 10_000, keep: 0 },
        now: Date.now(),
      })) {
        count += 1;
        if (count === 100) break;
      }
      expect(count).toBe(100);
    });
    return usage.readUnits;
  };
  const changes = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => change({ id: id + (at % 100), version: from + at }));
  await append(changes(1, 1000));
  const few = await units();
  for (let at = 0; at < MANY; at += 1000) await append(changes(1001 + at, 1000));
  expect(await units()).toBeLessThanOrEqual(few * 1.1);
}, 3_600_000);
