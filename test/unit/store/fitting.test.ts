import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { itemSize } from '../../../engines/dynamodb/values/size.ts';
import { portionsOf, sizeOf } from '../../../shared/store/write/fitting.ts';

const scalar = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }).map((S) => ({ S })),
  fc.integer().map((N) => ({ N: String(N) })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.string().map((text) => ({ B: Buffer.from(text) })),
);
const attributes = fc.dictionary(fc.string({ minLength: 1 }), scalar, { maxKeys: 12 });

/** The same attributes as the engine gets them. */
const sent = (all: Record<string, object>) =>
  JSON.parse(
    JSON.stringify(all, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('base64') : value,
    ),
  );

// The engine computes the size by rules of its own.
test('an estimate is not below the size of the attributes, and hardly above it', () =>
  fc.assert(
    fc.property(attributes, attributes, (item, inner) => {
      const whole = { ...item, image: { M: inner } };
      const exact = itemSize(sent(whole));
      expect(sizeOf(whole)).toBeGreaterThanOrEqual(exact);
      expect(sizeOf(whole)).toBeLessThanOrEqual(
        exact + 25 * Object.keys({ ...item, ...inner }).length + 25 * 12,
      );
    }),
  ));

test('portions keep the order, and each of them fits into a transaction', () =>
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 5_000_000 })),
      fc.integer({ min: 1, max: 99 }),
      (sizes, most) => {
        const portions = portionsOf(sizes, most, (one) => one);
        expect(portions.flat()).toEqual(sizes);
        for (const portion of portions) {
          expect(portion.length).toBeGreaterThan(0);
          expect(portion.length).toBeLessThanOrEqual(most);
          if (portion.length > 1)
            expect(portion.reduce((sum, one) => sum + one)).toBeLessThan(4 * 1024 * 1024);
        }
        // No two neighbours would fit together.
        for (const [at, portion] of portions.slice(1).entries()) {
          const before = portions[at] ?? [];
          const isFull = before.length === most;
          expect(
            isFull || [...before, ...portion.slice(0, 1)].reduce((sum, one) => sum + one) > 3_900_000,
          ).toBe(true);
        }
      },
    ),
  ));
