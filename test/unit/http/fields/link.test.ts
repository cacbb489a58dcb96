import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isFieldValue } from '../../../../shared/http/fields/field-value.ts';
import { formatLinks } from '../../../../shared/http/fields/link.ts';
import { anyText } from '../../../support/any-text.ts';

describe('RFC 8288 §3: Link', () => {
  test.each([
    [[], ''],
    [[{ rel: 'next', href: '/members?offset=100' }], '</members?offset=100>; rel="next"'],
    [
      [
        { rel: 'prev', href: '/a' },
        { rel: 'next', href: '/b', type: 'application/json' },
      ],
      '</a>; rel="prev", </b>; rel="next"; type="application/json"',
    ],
    [
      [{ rel: 'previous', href: 'http://example.com/1', title: 'previous chapter' }],
      '<http://example.com/1>; rel="previous"; title="previous chapter"',
    ],
    [[{ rel: 'x', href: '/a', title: 'say "hi"' }], '</a>; rel="x"; title="say \\"hi\\""'],
    // RFC 8187 §3.2.2
    [
      [{ rel: 'x', href: '/a', title: '£ and € rates' }],
      '</a>; rel="x"; title*=UTF-8\'\'%C2%A3%20and%20%E2%82%AC%20rates',
    ],
    [[{ rel: 'x', href: '/a', title: "é('*')" }], '</a>; rel="x"; title*=UTF-8\'\'%C3%A9%28%27%2A%27%29'],
    [[{ rel: 'x', href: '/a>; rel="evil"' }], '</a%3E;%20rel=%22evil%22>; rel="x"'],
    [[{ rel: 'x', href: '/a\r\nB: c' }], '</a%0D%0AB:%20c>; rel="x"'],
    [[{ rel: 'x', href: '/a%20b?c=d&e=[1]#f' }], '</a%20b?c=d&e=[1]#f>; rel="x"'],
    [[{ rel: 'x', href: '/é\\' }], '</%C3%A9%5C>; rel="x"'],
    [[{ rel: 'next last', href: '/' }], '</>; rel="next last"'],
  ])('%j', (links, field) => expect(formatLinks(links)).toBe(field));

  test('no part can break the syntax', () => {
    const text = anyText();
    fc.assert(
      fc.property(text, text, text, text, (href, rel, type, title) => {
        const field = formatLinks([{ href, rel, type, title }]);
        expect(isFieldValue(field)).toBe(true);
        const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
        expect(field).toMatch(
          new RegExp(
            `^<[^<>" ]*>; rel=${quoted}; type=${quoted}; title(?:=${quoted}|\\*=UTF-8''[\\w%!#$&+.^\`|~-]*)$`,
            's',
          ),
        );
      }),
    );
  });
});
