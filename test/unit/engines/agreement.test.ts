import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compareForRead } from '../../../engines/s3/conditions.ts';
import { rangeOf } from '../../../engines/s3/range.ts';
import { evaluate, type Verdict } from '../../../shared/http/conditional/conditions.ts';
import { ifRangeHolds, selectRanges } from '../../../shared/http/conditional/range.ts';

// The service follows RFC 9110 and the embedded S3 follows AWS's pages, in separate code. The service redirects
// clients to S3, so both must agree where their documents do: about one range and about strong entity tags.

const SECOND = Date.UTC(2026, 2, 10, 12);
const object = { etag: '"v1"', modified: SECOND + 250 };
const validators = { etag: { weak: false, opaque: 'v1' }, lastModified: object.modified };

const dateAt = (seconds: number) => new Date(SECOND + seconds * 1000).toUTCString();
/**
 * The date of a change is the beginning of its second for S3, and that of the next one for the service: they agree about
 * other dates. Source: Specification 3.10.
 */
const date = fc.constantFrom(-2, -1, 2).map(dateAt);
const tag = fc.constantFrom('"v1"', '"v2"', 'W/"v1"', 'W/"v2"', '"v2", "v1"', '"v0","v2"', '*');
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

/** The header fields with a value. */
const present = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

test('the service and the embedded S3 compare a read with an object in the same way', () => {
  const verdicts: Record<Verdict, string> = {
    proceed: 'read',
    'not-modified': 'not-modified',
    'precondition-failed': 'failed',
  };
  fc.assert(
    fc.property(
      optional(tag),
      optional(tag),
      optional(date),
      optional(date),
      (ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince) => {
        const fields = present({
          'if-match': ifMatch,
          'if-none-match': ifNoneMatch,
          'if-modified-since': ifModifiedSince,
          'if-unmodified-since': ifUnmodifiedSince,
        });
        const given = present({ ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince });
        expect(compareForRead(fields, object)).toBe(verdicts[evaluate('GET', given, validators)]);
      },
    ),
    { numRuns: 2000 },
  );
});

test('the service and the embedded S3 choose the same bytes for one range', () => {
  const position = optional(fc.nat({ max: 12 }));
  const range = fc.tuple(position, position).map(([from = '', to = '']) => `bytes=${from}-${to}`);
  const ifRange = optional(fc.oneof(date, fc.constantFrom('"v1"', '"v2"', 'W/"v1"')));
  fc.assert(
    fc.property(range, fc.nat({ max: 10 }), ifRange, (field, size, validator) => {
      const verdict = ifRangeHolds(validator, validators) ? selectRanges(field, size) : undefined;
      const choose = () => rangeOf(present({ range: field, 'if-range': validator }), { ...object, size });
      if (verdict?.kind === 'unsatisfiable') expect(choose).toThrow('not satisfiable');
      else expect(choose()).toEqual(verdict?.kind === 'partial' ? verdict.ranges[0] : undefined);
    }),
    { numRuns: 2000 },
  );
});
