import { describe, expect, test } from '@jest/globals';
import { codedTag, withoutCodings } from '../../../../shared/http/conditional/entity-tag.ts';

describe('RFC 9110 §8.8.3.3: entity tags of content codings', () => {
  test.each([false, true])('each coding has its own opaque tag, and weak: %s stays', (weak) => {
    expect(codedTag({ weak, opaque: '3.1-json' }, 'gzip')).toEqual({ weak, opaque: '3.1-json-gzip' });
    expect(codedTag({ weak, opaque: '3.1-json' }, 'br')).toEqual({ weak, opaque: '3.1-json-br' });
  });

  test.each([
    [undefined, undefined],
    ['*', '*'],
    ['malformed', 'malformed'],
    ['"3.1-json"', '"3.1-json"'],
    ['"3.1-json-gzip"', '"3.1-json"'],
    ['"3.1-json-br"', '"3.1-json"'],
    ['"3.1-json-zstd"', '"3.1-json"'],
    ['W/"a-gzip", "b-br"', 'W/"a", "b"'],
    ['"a-gzip-b"', '"a-gzip-b"'],
    ['"a-gzip-gzip"', '"a-gzip"'],
    ['"a-deflate"', '"a-deflate"'],
  ])('%s without its codings is %s', (field, plain) => {
    expect(withoutCodings(field)).toBe(plain);
  });
});
