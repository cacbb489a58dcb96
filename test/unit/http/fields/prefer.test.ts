import { describe, expect, test } from '@jest/globals';
import { parsePrefer } from '../../../../shared/http/fields/prefer.ts';

describe('RFC 7240 §2: Prefer', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['respond-async', [['respond-async', '']]],
    [
      'respond-async, wait=100',
      [
        ['respond-async', ''],
        ['wait', '100'],
      ],
    ],
    ['Lenient; handling=strict', [['lenient', '']]],
    ['handling=lenient; param=1', [['handling', 'lenient']]],
    ['WAIT=1, wait=2', [['wait', '1']]],
    ['wait = 1', [['wait', '1']]],
    ['wait\t=\t1 ;x', [['wait', '1']]],
    ['foo=""', [['foo', '']]],
    ['foo=', [['foo', '']]],
    ['foo="a, b"', [['foo', 'a, b']]],
    [
      'foo="a \\" b", bar',
      [
        ['foo', 'a " b'],
        ['bar', ''],
      ],
    ],
    ['foo="a\\\\"', [['foo', 'a\\']]],
    ["a!#$%&'*+.^_`|~-9=b!#$%&'*+.^_`|~-9", [["a!#$%&'*+.^_`|~-9", "b!#$%&'*+.^_`|~-9"]]],
  ])('%j', (field, preferences) => expect([...parsePrefer(field)]).toEqual(preferences));

  test.each([
    '=1',
    '"wait"',
    'wait="1',
    'wait=1 2',
    'wait 1',
    'wait=a=b',
    '(wait)',
    ' =x',
    'wait="1"2',
    '@a, b@',
  ])('%j has no preference', (field) => expect([...parsePrefer(field)]).toEqual([]));

  test('a malformed preference leaves the others', () => {
    expect([...parsePrefer('wait 1, respond-async')]).toEqual([['respond-async', '']]);
  });
});
