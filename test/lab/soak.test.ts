import { describe, expect, test } from '@jest/globals';
import { draw } from '../../lab/soak/curves.ts';
import { Ledger } from '../../lab/soak/ledger.ts';
import { growth } from '../../lab/soak/watch.ts';

describe('the growth of a curve', () => {
  test.each<[number[], number]>([
    [[9, 9, 9, 2, 2, 2, 2, 2, 2], 1],
    [[1, 1, 1, 2, 2, 2, 3, 3, 3], 1.5],
    [[1, 1, 1, 4, 4, 4, 1, 1, 1], 0.25],
    [[1, 1, 1, 2, 2, 2, 2, 2, 90], 1],
  ])('of %j is %d', (values, expected) => {
    expect(growth(values)).toBe(expected);
  });

  test('of too few values has no limit', () => {
    expect(growth([1, 2])).toBe(Infinity);
  });
});

test('a ledger has the last acknowledged state of each item, and counts all writes', () => {
  const ledger = new Ledger();
  ledger.record('/members/1', { name: 'Ada' });
  ledger.record('/members/1', { name: 'Anne' });
  ledger.record('/members/2', 'removed');
  expect([...ledger.items]).toEqual([
    ['/members/1', { name: 'Anne' }],
    ['/members/2', 'removed'],
  ]);
  expect(ledger.writes).toBe(3);
});

describe('a drawing', () => {
  const points = [
    [0, 5],
    [1, 10],
    [2, 0],
  ] as const;
  const drawing = draw([{ title: 'answers a second', points }], 'minutes', [1]);

  test('has a line from the left to the right, whose highest point is at the top', () => {
    const [, line = ''] = /<path d="([^"]*)"/.exec(drawing) ?? [];
    const places = line.split(/[ML]/).slice(1);
    expect(places.map((place) => place.split(' ').map(Number))).toEqual([
      [56, 69],
      [382, 26],
      [708, 112],
    ]);
  });

  test('names the curve, its most and the unit, and marks a time', () => {
    expect(drawing).toContain('answers a second</text>');
    expect(drawing).toContain('>10</text>');
    expect(drawing).toContain('>2 minutes</text>');
    expect(drawing.match(/class="mark"/g)).toHaveLength(1);
  });
});
