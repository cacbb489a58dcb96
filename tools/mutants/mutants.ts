/** A deliberate fault in one module, and the tests that must notice it. */
export interface Mutant {
  readonly file: string;
  /** The wrong behaviour. */
  readonly fault: string;
  /** Text that occurs once in the file. */
  readonly right: string;
  readonly wrong: string;
  readonly tests: readonly string[];
}

const RANGE = 'shared/http/conditional/range.ts';
const CONDITIONS = 'shared/http/conditional/conditions.ts';

const RANGE_UNIT = 'test/unit/http/conditional/range.test.ts';
const CONDITIONS_UNIT = 'test/unit/http/conditional/conditions.test.ts';
/** Compares the rules with those of the embedded S3. It can fail because the engine has its own code. */
const AGREEMENT = 'test/unit/engines/agreement.test.ts';
const RANGES_OVER_HTTP = 'test/conformance/conditional/ranges.test.ts';
const CONDITIONS_OVER_HTTP = 'test/conformance/conditional/conditional.test.ts';

/** Ten faults in the rules of ranges and conditions. */
export const MUTANTS: readonly Mutant[] = [
  {
    file: RANGE,
    fault: 'a suffix has one byte too many',
    right: 'Math.max(0, size - Number(to))',
    wrong: 'Math.max(0, size - Number(to) - 1)',
    tests: [RANGE_UNIT, AGREEMENT, RANGES_OVER_HTTP],
  },
  {
    file: RANGE,
    fault: 'a suffix longer than the file begins before it',
    right: 'Math.max(0, size - Number(to))',
    wrong: '(size - Number(to))',
    tests: [RANGE_UNIT, AGREEMENT, RANGES_OVER_HTTP],
  },
  {
    file: RANGE,
    fault: 'the last byte may lie after the end',
    right: 'Math.min(size - 1, Number(to))',
    wrong: 'Number(to)',
    tests: [RANGE_UNIT, AGREEMENT, RANGES_OVER_HTTP],
  },
  {
    file: RANGE,
    fault: 'a range may begin right after the last byte',
    right: 'if (first < size)',
    wrong: 'if (first <= size)',
    tests: [RANGE_UNIT, AGREEMENT, RANGES_OVER_HTTP],
  },
  {
    file: RANGE,
    fault: 'If-Range holds for a weak entity tag',
    right: 'strongMatch(tag, etag)',
    wrong: 'tag.opaque === etag.opaque',
    tests: [RANGE_UNIT, AGREEMENT, RANGES_OVER_HTTP],
  },
  {
    file: RANGE,
    fault: 'If-Range holds for a date after the change',
    right: 'date === second &&',
    wrong: 'date !== undefined && date >= second &&',
    tests: [RANGE_UNIT, AGREEMENT, RANGES_OVER_HTTP],
  },
  {
    file: CONDITIONS,
    fault: 'If-Unmodified-Since counts beside If-Match',
    right: '  } else if (ifUnmodifiedSince !== undefined) {',
    wrong: '  }\n  if (ifUnmodifiedSince !== undefined) {',
    tests: [CONDITIONS_UNIT, AGREEMENT, CONDITIONS_OVER_HTTP],
  },
  {
    file: CONDITIONS,
    fault: 'If-None-Match compares strongly',
    right: '!tags.some((tag) => weakMatch(tag, etag))',
    wrong: '!tags.some((tag) => strongMatch(tag, etag))',
    tests: [CONDITIONS_UNIT, AGREEMENT, CONDITIONS_OVER_HTTP],
  },
  {
    file: CONDITIONS,
    fault: 'a date is compared in milliseconds',
    right: 'Math.floor(current.lastModified / 1000) > Math.floor(date / 1000)',
    wrong: 'current.lastModified > date',
    tests: [CONDITIONS_UNIT, AGREEMENT, CONDITIONS_OVER_HTTP],
  },
  {
    file: CONDITIONS,
    fault: 'If-Modified-Since counts beside If-None-Match',
    right: '  } else if (retrieval && ifModifiedSince !== undefined) {',
    wrong: '  }\n  if (retrieval && ifModifiedSince !== undefined) {',
    tests: [CONDITIONS_UNIT, AGREEMENT, CONDITIONS_OVER_HTTP],
  },
];
