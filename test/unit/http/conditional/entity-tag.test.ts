import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  formatEntityTag,
  parseEntityTag,
  parseEntityTags,
  strongMatch,
  weakMatch,
} from '../../../../shared/http/conditional/entity-tag.ts';

const strong = (opaque: string) => ({ weak: false, opaque });
const weak = (opaque: string) => ({ weak: true, opaque });

describe('RFC 9110 §8.8.3: entity-tag', () => {
  test.each([
    ['"xyzzy"', strong('xyzzy')],
    ['W/"xyzzy"', weak('xyzzy')],
    ['""', strong('')],
    ['W/""', weak('')],
    ['"a,b"', strong('a,b')],
    ['"back\\slash"', strong('back\\slash')],
    ['"!#~\xff"', strong('!#~\xff')],
  ])('%s', (text, tag) => {
    expect(parseEntityTag(text)).toEqual(tag);
    expect(formatEntityTag(tag)).toBe(text);
  });

  test.each([
    '',
    'x',
    '"',
    '"x',
    'x"',
    '"a"b"',
    '"a" ',
    ' "a"',
    'w/"a"',
    'W/a',
    'W/ "a"',
    '"a b"',
    '"\t"',
    '"\x7f"',
    '*',
    '"a","b"',
  ])('%j is not an entity tag', (text) => expect(parseEntityTag(text)).toBeUndefined());
});

describe('RFC 9110 §8.8.3.2: comparison (the table)', () => {
  test.each([
    ['W/"1"', 'W/"1"', false, true],
    ['W/"1"', 'W/"2"', false, false],
    ['W/"1"', '"1"', false, true],
    ['"1"', '"1"', true, true],
    ['"1"', '"2"', false, false],
    ['"a"', '"A"', false, false],
  ])('%s and %s: strong %s, weak %s', (a, b, strongly, weakly) => {
    const [x, y] = [parseEntityTag(a)!, parseEntityTag(b)!];
    expect([strongMatch(x, y), weakMatch(x, y)]).toEqual([strongly, weakly]);
    expect([strongMatch(y, x), weakMatch(y, x)]).toEqual([strongly, weakly]);
  });
});

describe('RFC 9110 §13.1.1, §13.1.2: "*" / #entity-tag', () => {
  test.each([
    ['*', '*'],
    [' * ', '*'],
    ['"xyzzy"', [strong('xyzzy')]],
    ['"xyzzy", "r2d2xxxx", "c3piozzzz"', [strong('xyzzy'), strong('r2d2xxxx'), strong('c3piozzzz')]],
    ['W/"xyzzy", W/"r2d2xxxx"', [weak('xyzzy'), weak('r2d2xxxx')]],
    ['"a,b","c"', [strong('a,b'), strong('c')]],
    ['"a\\","b"', [strong('a\\'), strong('b')]],
    [', ,"a", ,\t"b",,', [strong('a'), strong('b')]],
    ['', []],
    [',', []],
  ])('%j', (field, tags) => expect(parseEntityTags(field)).toEqual(tags));

  test.each(['a', '"a" "b"', '"a""b"', '"a', '*, "a"', '"a", *', '**', '"a", b', '"a";', 'w/"a"'])(
    '%j is malformed',
    (field) => expect(parseEntityTags(field)).toBeUndefined(),
  );

  const opaque = fc.string({ unit: fc.constantFrom('a', ',', '\\', '*', '/', 'W', '~', '!', '\x80') });
  test('reads back any list of tags', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ weak: fc.boolean(), opaque })),
        fc.constantFrom(',', ' , ', ',,', ', ,\t'),
        (tags, by) => {
          expect(parseEntityTags(tags.map(formatEntityTag).join(by))).toEqual(tags);
        },
      ),
    );
  });
  test('never throws on any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', ',', 'W', '/', ' ', '*', 'a', '\n') }), (text) => {
        parseEntityTags(text);
        const tag = parseEntityTag(text);
        if (tag) expect(formatEntityTag(tag)).toBe(text);
      }),
    );
  });
});
