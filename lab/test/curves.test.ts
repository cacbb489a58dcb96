import { describe, expect, test } from '@jest/globals';
import { draw } from '../curves.ts';

describe('a drawing', () => {
  const points = [
    [0, 5],
    [1, 10],
    [2, 0],
  ] as const;
  const drawing = draw(
    [{ title: 'answers a second', lines: [{ points }, { name: '429', points: [[0, 10]] }] }],
    'minutes',
    [1],
  );

  test('has a line from the left to the right, whose highest point is at the top', () => {
    const [, line = ''] = /<path class="k0" d="([^"]*)"/.exec(drawing) ?? [];
    const places = line.split(/[ML]/).slice(1);
    expect(places.map((place) => place.split(' ').map(Number))).toEqual([
      [56, 69],
      [382, 26],
      [708, 112],
    ]);
  });

  test('names the curve, its most and the unit, and marks a time', () => {
    expect(drawing).toContain('answers a second <tspan class="k1" dx="8">429</tspan></text>');
    expect(drawing).toContain('>10</text>');
    expect(drawing).toContain('>2 minutes</text>');
    expect(drawing.match(/class="mark"/g)).toHaveLength(1);
  });
});
