import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseNotification } from '../../../functions/uploads/notification.ts';
import {
  copiedPartSizeOf,
  lifetimeOf,
  partSizeOf,
  partsOf,
  WHOLE,
} from '../../../shared/files/uploads/announce/plan.ts';
import { MAXIMUM_UPLOAD } from '../../../shared/http/maximum-sizes.ts';

const MIB = 1024 * 1024;
const GIB = 1024 * MIB;

describe('the parts of a copy', () => {
  test.each([
    [GIB, 128 * MIB, 8],
    [1_250_000 * MIB, 128 * MIB, 9766],
    [1_280_000 * MIB + 1, 129 * MIB, 9923],
    [MAXIMUM_UPLOAD, 477 * MIB, 9997],
  ])('are as small as S3 allows for %d bytes', (size, partSize, parts) => {
    expect(copiedPartSizeOf(size)).toBe(partSize);
    expect(partsOf(size, partSize)).toHaveLength(parts);
  });
});

describe('the parts of a manifest', () => {
  test.each([
    [[WHOLE + 1], 8 * MIB, [9]],
    [[GIB], 8 * MIB, [128]],
    [[8000 * MIB], 8 * MIB, [1000]],
    [[8000 * MIB + 1], 9 * MIB, [889]],
    [[MAXIMUM_UPLOAD], 4769 * MIB, [1000]],
    [[100, 5 * GIB, 5 * GIB], 11 * MIB, [466, 466]],
  ])('are as planned for %j', (sizes, partSize, counts) => {
    expect(partSizeOf(sizes)).toBe(partSize);
    const large = sizes.filter((size) => size > WHOLE);
    expect(large.map((size) => partsOf(size, partSize).length)).toEqual(counts);
  });

  // Source: Amazon S3 User Guide, "Amazon S3 multipart upload limits".
  test('stay within the limits of S3 and of a response', () => {
    const share = fc.integer({ min: WHOLE + 1, max: MAXIMUM_UPLOAD });
    fc.assert(
      fc.property(fc.array(share, { minLength: 1, maxLength: 100 }), (wanted) => {
        const sizes = wanted.map((size) => Math.max(WHOLE + 1, Math.floor(size / wanted.length)));
        const partSize = partSizeOf(sizes);
        expect(partSize).toBeLessThanOrEqual(5 * GIB);
        const parts = sizes.map((size) => partsOf(size, partSize));
        expect(parts.flat().length).toBeLessThanOrEqual(1000 + sizes.length);
        for (const [at, own] of parts.entries()) {
          expect(own.length).toBeLessThanOrEqual(1000);
          expect(own.reduce((sum, { size }) => sum + size, 0)).toBe(sizes[at]);
          expect(own.map(({ partNumber }) => partNumber)).toEqual(own.map((_, n) => n + 1));
          expect(own.slice(0, -1).filter(({ size }) => size < 5 * MIB)).toEqual([]);
          expect(own.at(-1)?.size).toBeGreaterThan(0);
        }
      }),
      { numRuns: 50 },
    );
  });
});

// Specification 5.15
test.each([
  ['an hour', 86_400_000, undefined, 3600],
  ['the rest of its operation', 60_500, undefined, 60],
  ['the rest of the session that signs them', 86_400_000, 1_800_000, 1800],
  ['a second at least', 0, -1, 1],
])('links live for %s', (_case, until, session, seconds) => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(lifetimeOf(now, now + until, session === undefined ? undefined : now + session)).toBe(seconds);
});

test('a message has its subject and its time', () => {
  const recordOf = (key: string, eventTime?: string, eventName?: string) => ({
    eventName,
    eventTime,
    s3: { object: { key } },
  });
  expect(
    parseNotification(
      JSON.stringify({
        Records: [
          recordOf('files/a+b%2Bc%2F%C3%BC', '1970-01-01T00:00:01.500Z', 'ObjectCreated:Put'),
          recordOf('files/x'),
          recordOf('files/y', undefined, 's3:ObjectRemoved:Delete'),
        ],
      }),
    ),
  ).toEqual([
    { key: 'files/a b+c/ü', isRemoval: false, time: 1500 },
    { key: 'files/x', isRemoval: false, time: undefined },
    { key: 'files/y', isRemoval: true, time: undefined },
  ]);
  expect(parseNotification(JSON.stringify({ Service: 'Amazon S3', Event: 's3:TestEvent' }))).toEqual([]);
});
