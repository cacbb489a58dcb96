import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { formatPositions, parsePositions } from '../../../functions/changes/cursor.ts';

// Specification 17.3
const positions = fc
  .uniqueArray(fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/), { minLength: 1, maxLength: 5 })
  .chain((names) =>
    fc.tuple(
      ...names.flatMap((name) =>
        [0, 1, 2, 3].map((at) =>
          fc
            .record({ after: fc.maxSafeNat(), epoch: fc.nat({ max: 2 ** 32 - 1 }) })
            .map(
              ({ after, epoch }) =>
                [`${name}.${at}`, { after, epoch: epoch.toString(36).padStart(7, '0') }] as const,
            ),
        ),
      ),
    ),
  )
  .map((places) => new Map(places));

describe('a cursor of the log', () => {
  test('has its positions, and does not show them', () => {
    fc.assert(
      fc.property(positions, (known) => {
        const text = formatPositions(known);
        expect(text).toMatch(/^[\w-]+$/);
        expect(parsePositions(text)).toEqual(known);
      }),
    );
  });

  test('with a character more, less or another is refused', () => {
    fc.assert(
      fc.property(positions, fc.nat(), fc.constantFrom('A', '_', '~', ''), (known, place, other) => {
        const text = formatPositions(known);
        const at = place % text.length;
        fc.pre(text[at] !== other);
        expect(parsePositions(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
        expect(parsePositions(`${text}A`)).toBeUndefined();
      }),
    );
    for (const text of [
      '',
      'x',
      'AAAA',
      '47DEpQ',
      'Bm9yZGVycwEA__________8BAQEBAAAAAA',
      'orders.0-',
      'orders.0-1_',
    ])
      expect(parsePositions(text)).toBeUndefined();
  });

  test('of an earlier release still has its positions', () => {
    expect(parsePositions('orders.0-hq3w1v5k8g_e.00-1b2c3d4_orders.1-0')).toEqual(
      new Map([
        ['orders.0', { after: 1_800_172_983_277_744, epoch: '1b2c3d4' }],
        ['orders.1', { after: 0 }],
      ]),
    );
  });
});
