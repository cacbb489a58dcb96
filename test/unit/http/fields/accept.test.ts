import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Offer } from '../../../../shared/http/fields/accept.ts';
import { negotiate } from '../../../../shared/http/fields/accept.ts';
import { anyText } from '../../../support/any-text.ts';

const json: Offer = { mediaType: 'application/json' };
const xml: Offer = { mediaType: 'application/xml' };
const html: Offer = { mediaType: 'text/html', explicit: true };
const offers = [json, xml, html];

const pick = (accept: string | undefined, of: readonly Offer[] = offers) => negotiate(accept, of)?.mediaType;

describe('RFC 9110 §12.5.1: Accept', () => {
  test.each([
    // absent: "the user agent will accept any media type in response"
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    // Java up to 18, its later updates (JDK-8163921), and the same in another form
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json'],
    ['text/html, image/gif, image/jpeg, */*; q=0.2', 'application/json'],
    ['text/html, image/gif, */*; q=.2', 'text/html'],
    ['application/json; charset=utf8', 'application/json'],
    ['application/json', 'application/json'],
    ['application/xml', 'application/xml'],
    ['APPLICATION/XML', 'application/xml'],
    ['text/html', 'text/html'],
    // q-values
    ['application/json;q=0.5, application/xml', 'application/xml'],
    ['application/json;q=0.5, application/xml;q=0.501', 'application/xml'],
    ['application/json;Q=0.1, application/xml;q=0.2', 'application/xml'],
    ['application/xml, application/json', 'application/json'],
    ['text/html, application/json', 'application/json'],
    ['text/html, application/json;q=0.9', 'text/html'],
    // "a value of 0 means not acceptable"
    ['application/json;q=0', undefined],
    ['application/json;q=0, */*', 'application/xml'],
    ['application/json;q=0, application/xml;q=0.000, */*', 'text/html'],
    ['*/*;q=0', undefined],
    ['*/*;q=0, application/xml;q=0.001', 'application/xml'],
    ['*/*, application/*;q=0', 'text/html'],
    // of two equally specific ranges the heavier counts, in either order
    ['application/xml;q=0.5, application/json;q=0.2, application/json;q=0.9', 'application/json'],
    ['application/xml;q=0.5, application/json;q=0.9, application/json;q=0.2', 'application/json'],
    // "the most specific reference has precedence"
    ['application/*;q=0.2, application/json;q=0.1', 'application/xml'],
    ['*/*;q=0.9, application/*;q=0.2, text/*;q=0.1', 'application/json'],
    ['application/*;q=0.5, */*;q=0.9', 'application/json'],
    ['image/png', undefined],
    ['image/*', undefined],
    ['applic/*', undefined],
    // an explicit offer by a wildcard: only when nothing else fits
    ['text/*', 'text/html'],
    ['text/*, application/json;q=0.1', 'application/json'],
    ['text/html;q=0.9, */*;q=0.8', 'text/html'],
    ['text/html;q=0.8, */*;q=0.9', 'application/json'],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8', 'text/html'],
    // "Previous specifications allowed additional extension parameters to appear after the weight parameter"
    ['application/json;q=0.5;ext=1', 'application/json'],
    ['application/json;q=0.5;ext=1, application/xml;q=0.6', 'application/xml'],
    ['application/xml;q=0.5 ; ext ; other="a,b;q=1"', 'application/xml'],
    ['application/json;q=0;ext=1, application/xml;q=0.1', 'application/xml'],
    ['application/json;ext=1;q=0.5', undefined],
    ['application/json;ext;q=0.5, application/xml;q=0.1', 'application/xml'],
    ['application/json;q=0.5 ext, application/xml;q=0.1', 'application/xml'],
    ['application/json;q=0.5;ext=, application/xml;q=0.1', 'application/xml'],
    // "Recipients SHOULD process any parameter named "q" as weight, regardless of parameter ordering"
    ['application/json;q=0.5;charset=utf-8', 'application/json'],
    ['application/json;q=0.5;charset=latin1', undefined],
    // invalid elements have no effect
    ['nonsense', 'application/json'],
    ['nonsense, application/xml', 'application/xml'],
    ['*/xml, application/xml', 'application/xml'],
    ['application/json;q=2, application/xml;q=0.1', 'application/xml'],
    ['application/json;q=0.1234, application/xml;q=0.1', 'application/xml'],
    ['application/json;q=, application/xml;q=0.1', 'application/xml'],
    ['application/json;q=-1, application/xml;q=0.1', 'application/xml'],
    [', ,application/xml,', 'application/xml'],
    [',', 'application/json'],
    // charset has no effect: everything is UTF-8
    ['application/json;charset=utf-8', 'application/json'],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/json; charset=latin1', undefined],
    // a range with a parameter that the offer lacks
    ['application/json;version=2', undefined],
    ['application/json;version=2, application/json;q=0.1', 'application/json'],
  ])('%j picks %s', (accept, expected) => expect(pick(accept)).toBe(expected));

  test('the example: Accept: text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, ...', () => {
    const accept =
      'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5';
    // The RFC's table of quality values, most to least, without ties.
    const ranked = [
      'text/plain;format=flowed',
      'text/plain',
      'image/jpeg',
      'text/plain;format=fixed',
      'text/html',
    ];
    for (let i = 0; i < ranked.length; i++) {
      const rest = ranked.slice(i).map((mediaType) => ({ mediaType }));
      expect(pick(accept, rest)).toBe(ranked[i]);
      expect(pick(accept, rest.toReversed())).toBe(ranked[i]);
    }
  });

  test('an offer with parameters fits the bare range too, in the order of offers', () => {
    const versions = [
      { mediaType: 'application/json;version=1' },
      { mediaType: 'application/json;version=2' },
    ];
    expect(pick('application/json', versions)).toBe('application/json;version=1');
    expect(pick('application/json;version=2', versions)).toBe('application/json;version=2');
    expect(pick('application/json;version=3', versions)).toBeUndefined();
    expect(pick('application/json;q=0.5;version=2', versions)).toBe('application/json;version=2');
    expect(pick('application/json;q=0.5;version=2;ext=1', versions)).toBe('application/json;version=2');
    expect(pick('application/json;q=0.5;version=3', versions)).toBeUndefined();
    expect(pick('application/json;version=1;q=0, application/json', versions)).toBe(
      'application/json;version=2',
    );
  });

  test('explicit offers alone match a wildcard and a missing Accept', () => {
    expect(pick('*/*', [html])).toBe('text/html');
    expect(pick(undefined, [html])).toBe('text/html');
    expect(pick('application/json', [html])).toBeUndefined();
  });

  test('an explicit offer listed first still loses at equal weight', () => {
    expect(pick('text/html, application/json', [html, json])).toBe('application/json');
    expect(pick('*/*', [html, json])).toBe('application/json');
  });

  test('no offers: nothing', () => expect(negotiate('*/*', [])).toBeUndefined());

  const essences = ['application/json', 'application/xml', 'text/html', 'text/plain'];
  const patterns = [...essences, 'application/*', 'text/*', '*/*'];
  const weights = ['', ';q=0', ';q=0.0', ';q=0.001', ';q=0.5', ';q=1', ';q=1.000'];
  const accepts = fc.uniqueArray(fc.tuple(fc.constantFrom(...patterns), fc.constantFrom(...weights)), {
    minLength: 1,
    selector: ([pattern]) => pattern,
  });

  test('an offer of weight 0 never wins, and the winner has the highest weight', () => {
    fc.assert(
      fc.property(accepts, fc.shuffledSubarray(essences), (members, offered) => {
        const weightOf = (mediaType: string) => {
          for (const pattern of [mediaType, `${mediaType.split('/')[0]}/*`, '*/*']) {
            const member = members.find(([p]) => p === pattern);
            if (member) return member[1] === '' ? 1 : Number(member[1].slice(3));
          }
          return 0;
        };
        const heaviest = Math.max(0, ...offered.map(weightOf));
        const expected = heaviest === 0 ? undefined : offered.find((o) => weightOf(o) === heaviest);
        const accept = members.map((member) => member.join('')).join(', ');
        expect(
          pick(
            accept,
            offered.map((mediaType) => ({ mediaType })),
          ),
        ).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('never throws on any text', () => {
    fc.assert(fc.property(anyText(), (accept) => void negotiate(accept, offers)));
  });
});

describe('an offer with parameters in its Content-Type', () => {
  const csv: Offer = { mediaType: 'text/csv', contentType: 'text/csv; charset=utf-8; header=present' };

  test.each([
    ['text/csv', true],
    ['text/csv; header=present', true],
    ['text/csv; charset=UTF-8; header=present', true],
    ['text/*', true],
    ['text/csv; header=absent', false],
    ['text/csv; charset=latin1', false],
  ])('fits %s: %s', (accept, fits) => {
    expect(pick(accept, [json, csv]) === 'text/csv').toBe(fits);
  });
});
