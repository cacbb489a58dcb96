import { describe, expect, test } from '@jest/globals';
import { heat, type Spot, spotsOf } from '../../../tools/cost/model/heat.ts';
import { seeded, zipf } from '../../../tools/cost/model/random.ts';
import { pageUnits, simulate } from '../../../tools/cost/model/simulation.ts';

const options = { requests: 1000, limit: 1000, wanted: 100_000, seed: 7 };
const evenly = (keys: number, places: number): Spot[] =>
  Array.from({ length: keys * places }, (_, at) => ({
    key: Math.floor(at / places),
    place: at % places,
    units: 1000 / (keys * places),
  }));

describe('the model of partitions', () => {
  test('gives one key the units of one partition, however often it splits', () => {
    const { fresh, settled } = heat([{ key: 1, place: 0, units: 1000 }], options);
    expect(fresh).toEqual({ partitions: 1, hottest: 1, rate: 1000 });
    expect(settled).toEqual(fresh);
  });

  test('halves the rate for requests of two units', () => {
    expect(heat([{ key: 1, place: 0, units: 2000 }], options).settled.rate).toBe(500);
  });

  test('spreads many keys until each has its own partition', () => {
    const { settled } = heat(evenly(8, 1), options);
    expect(settled).toMatchObject({ partitions: 8, hottest: 1 / 8, rate: 8000 });
  });

  test('splits one key at its items', () => {
    const { settled } = heat(evenly(1, 8), options);
    expect(settled).toMatchObject({ partitions: 8, hottest: 1 / 8, rate: 8000 });
  });

  test('splits only full partitions', () => {
    const { fresh, settled } = heat(evenly(8, 1), { ...options, wanted: 100 });
    expect(settled).toEqual(fresh);
  });

  test('keeps a hot item in place and moves the others away', () => {
    const { settled } = heat([...evenly(1, 10), { key: 1, place: 0, units: 1000 }], {
      ...options,
      requests: 2000,
    });
    expect(settled.hottest).toBe(0.5);
    expect(settled.rate).toBe(2000);
  });

  test('counts units at the same place as one key', () => {
    const drawn = [
      { key: 1, place: 1 },
      { key: 1, place: 1 },
      { key: 1, place: 2 },
    ];
    expect(spotsOf(drawn, 2)).toEqual([
      { key: 1, place: 1, units: 4 },
      { key: 1, place: 2, units: 2 },
    ]);
  });
});

describe('random numbers', () => {
  test('are the same for the same seed and others for another seed', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seeded(seed));
    expect(draw(3)).toEqual(draw(3));
    expect(draw(3)).not.toEqual(draw(4));
    for (const one of draw(3)) expect(one >= 0 && one < 1).toBe(true);
  });

  test('of Zipf give the first rank its share', () => {
    const draw = zipf(100, 1, seeded(11));
    const firsts = Array.from({ length: 50_000 }, draw).filter((rank) => rank === 0).length;
    // 1 / (1 + 1/2 + … + 1/100) = 0.1928
    expect(firsts / 50_000).toBeCloseTo(0.1928, 2);
  });

  test('of Zipf without an exponent are uniform', () => {
    const draw = zipf(4, 0, seeded(5));
    const counts = [0, 0, 0, 0];
    for (let at = 0; at < 40_000; at += 1) counts[draw()] = (counts[draw()] as number) + 1;
    for (const count of counts) expect(count / 40_000).toBeCloseTo(0.25, 1);
  });
});

describe('the simulation', () => {
  const all = simulate();
  const settled = (workload: string, on: RegExp, shards?: number) =>
    all.find((one) => one.workload === workload && on.test(one.on) && one.shards === shards)?.settled
      .rate as number;

  test('limits creations at the end of a list by the shards: a thousand each', () => {
    for (const shards of [1, 4, 16, 64]) {
      const rate = settled('creations', /end/, shards);
      expect(rate).toBeLessThanOrEqual(1000 * shards);
      expect(rate).toBeGreaterThan(900 * shards);
    }
  });

  test('limits creations anywhere in a list by no shard', () => {
    for (const shards of [1, 4, 16, 64])
      expect(settled('creations', /anywhere/, shards)).toBeGreaterThanOrEqual(40_000);
  });

  test('limits one hot item alone, with any number of shards', () => {
    const rates = [1, 4, 16, 64].map((shards) => settled('updates of files, Zipf', /./, shards));
    expect(new Set(rates).size).toBe(1);
    expect(rates[0]).toBe(settled('updates of items, Zipf', /table/));
  });
});

test('reads at least half a unit per shard for a page', () => {
  expect(pageUnits(1, 64)).toBe(32);
  // (25 + 1) × 400 bytes are three times 4 KB.
  expect(pageUnits(25, 1)).toBe(1.5);
});
