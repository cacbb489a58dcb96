import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { metering, noUsage } from '../../shared/aws/meter.ts';
import { MAXIMUM_UNITS, readWithin, unitsLeft } from '../../shared/aws/read-budget.ts';

/** A read: it wants from `least` to `most` units, takes a share of those that it gets, and lasts some turns. */
const read = fc.record({
  least: fc.integer({ min: 1, max: 300 }),
  more: fc.integer({ min: 0, max: 3000 }),
  keep: fc.integer({ min: 0, max: 1500 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  turns: fc.integer({ min: 0, max: 5 }),
  fails: fc.boolean(),
});

// Specification 4.27
test('reads at the same time never take more units than a request has, and all of them end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 40 }), async (reads) => {
      const usage = noUsage(true);
      let running = 0;
      const results = await metering(usage, () =>
        Promise.allSettled(
          reads.map(({ least, more, keep, share, turns, fails }) =>
            readWithin({ least, most: least + more, keep }, async (granted) => {
              running += granted;
              expect(usage.readUnits + running).toBeLessThanOrEqual(MAXIMUM_UNITS);
              expect(granted).toBeGreaterThanOrEqual(least);
              expect(granted).toBeLessThanOrEqual(least + more);
              for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
              running -= granted;
              usage.readUnits += granted * share;
              if (fails) throw new Error('down');
              return granted;
            }),
          ),
        ),
      );
      const least = results.flatMap((one, at) =>
        one.status === 'fulfilled' && one.value === undefined ? (reads[at]?.least ?? 0) : [],
      );
      // Only a request without enough units refuses a read.
      for (const one of least) expect(one).toBeGreaterThan(MAXIMUM_UNITS - usage.readUnits - 1);
    }),
  );
});

test('work beside reading requests has no limit', async () => {
  expect(unitsLeft()).toBe(Number.POSITIVE_INFINITY);
  expect(await readWithin({ least: 1, most: 1e9 }, async (granted) => granted)).toBe(1e9);
});
