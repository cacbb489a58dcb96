import { describe, expect, test } from '@jest/globals';
import { checkMatch, checkWrite, compareForRead, requireWriteConditions } from '../../s3/conditions.ts';

const object = {
  etag: '"5d41402abc4b2a76b9719d911017c592"',
  modified: Date.UTC(2026, 2, 10, 12, 0, 0) + 250,
};
const SAME = object.etag;
const OTHER = '"0123456789abcdef0123456789abcdef"';
const EARLIER = 'Tue, 10 Mar 2026 11:59:59 GMT';
const EQUAL = 'Tue, 10 Mar 2026 12:00:00 GMT';
const LATER = 'Tue, 10 Mar 2026 12:00:01 GMT';

type Fields = Record<string, string>;

/** The code of the error, or `done`. */
function codeOf(check: () => void): string {
  try {
    check();
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe('https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html', () => {
  test.each<[string, Fields, string]>([
    ['If-Match with the same tag reads', { 'if-match': SAME }, 'read'],
    ['If-Match with another tag fails', { 'if-match': OTHER }, 'failed'],
    ['If-Unmodified-Since before the change fails', { 'if-unmodified-since': EARLIER }, 'failed'],
    ['If-Unmodified-Since in the second of the change reads', { 'if-unmodified-since': EQUAL }, 'read'],
    ['If-Unmodified-Since after the change reads', { 'if-unmodified-since': LATER }, 'read'],
    ['If-None-Match with the same tag is 304', { 'if-none-match': SAME }, 'not-modified'],
    ['If-None-Match with another tag reads', { 'if-none-match': OTHER }, 'read'],
    ['If-Modified-Since before the change reads', { 'if-modified-since': EARLIER }, 'read'],
    ['If-Modified-Since in the second of the change is 304', { 'if-modified-since': EQUAL }, 'not-modified'],
    ['If-Modified-Since after the change is 304', { 'if-modified-since': LATER }, 'not-modified'],
    // "If-Match condition evaluates to true, and; If-Unmodified-Since condition evaluates to false; then, S3 returns
    // 200 OK"
    ['If-Match decides before a date', { 'if-match': SAME, 'if-unmodified-since': EARLIER }, 'read'],
    ['If-Match fails whatever the date', { 'if-match': OTHER, 'if-unmodified-since': LATER }, 'failed'],
    // "If-None-Match condition evaluates to false, and; If-Modified-Since condition evaluates to true; then, S3
    // returns 304 Not Modified"
    [
      'If-None-Match decides before a date',
      { 'if-none-match': SAME, 'if-modified-since': EARLIER },
      'not-modified',
    ],
    ['If-None-Match reads whatever the date', { 'if-none-match': OTHER, 'if-modified-since': LATER }, 'read'],
    ['If-Match fails before If-None-Match is 304', { 'if-match': OTHER, 'if-none-match': SAME }, 'failed'],
    ['both tags are compared', { 'if-match': SAME, 'if-none-match': SAME }, 'not-modified'],
  ])('%s', (_title, fields, expected) => expect(compareForRead(fields, object)).toBe(expected));

  test('the source of a copy has conditions of its own', () => {
    const fields = { 'if-match': OTHER, 'x-amz-copy-source-if-none-match': SAME };
    expect(compareForRead(fields, object, 'x-amz-copy-source-')).toBe('not-modified');
  });
});

describe('RFC 7232, to which S3 refers', () => {
  test.each<[string, Fields, string]>([
    ['a list has the tag', { 'if-match': `${OTHER}, ${SAME}` }, 'read'],
    ['a list has the tag, for If-None-Match', { 'if-none-match': `${OTHER},${SAME}` }, 'not-modified'],
    ['* is any object', { 'if-match': '*' }, 'read'],
    ['* is any object, for If-None-Match', { 'if-none-match': '*' }, 'not-modified'],
    ['If-Match compares strongly', { 'if-match': `W/${SAME}` }, 'failed'],
    ['If-None-Match compares weakly', { 'if-none-match': `W/${SAME}` }, 'not-modified'],
    ['a tag has the same case', { 'if-match': SAME.toUpperCase() }, 'failed'],
    ['a part of the tag is another tag', { 'if-match': `${SAME.slice(0, -2)}"` }, 'failed'],
    // aws s3api delete-object --if-match "6805f2c…" in the User Guide, "How to perform conditional deletes"
    ['a tag may lack its quotes', { 'if-match': SAME.slice(1, -1) }, 'read'],
  ])('%s', (_title, fields, expected) => expect(compareForRead(fields, object)).toBe(expected));

  test.each([EQUAL, 'Tuesday, 10-Mar-26 12:00:00 GMT', 'Tue Mar 10 12:00:00 2026'])(
    'S3 reads the date %s',
    (date) => expect(compareForRead({ 'if-modified-since': date }, object)).toBe('not-modified'),
  );

  test.each([
    '',
    '0',
    '2026-03-10',
    '2026-03-10T12:00:00Z',
    'Wed, 10 Mar 2026 12:00:00 GMT',
    `${LATER}, ${LATER}`,
  ])('S3 ignores the date %j', (date) => {
    expect(compareForRead({ 'if-modified-since': date }, object)).toBe('read');
    expect(compareForRead({ 'if-unmodified-since': date }, object)).toBe('read');
  });
});

describe('https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html', () => {
  test.each<[string, Fields, string, string]>([
    ['no condition', {}, 'done', 'done'],
    ['If-None-Match: *', { 'if-none-match': '*' }, 'PreconditionFailed', 'done'],
    ['If-Match with the same tag', { 'if-match': SAME }, 'done', 'NoSuchKey'],
    ['If-Match with another tag', { 'if-match': OTHER }, 'PreconditionFailed', 'NoSuchKey'],
    ['dates', { 'if-unmodified-since': EARLIER, 'if-modified-since': LATER }, 'done', 'done'],
  ])('%s is %s', (_title, fields, present, absent) => {
    expect(codeOf(() => checkWrite(fields, object))).toBe(present);
    expect(codeOf(() => checkWrite(fields, undefined))).toBe(absent);
  });

  test.each<[string, Fields, string]>([
    ['If-None-Match with a tag', { 'if-none-match': SAME }, 'NotImplemented'],
    ['If-Match: *', { 'if-match': '*' }, 'NotImplemented'],
    ['two conditions', { 'if-match': SAME, 'if-none-match': '*' }, 'NotImplemented'],
    ['If-None-Match: *', { 'if-none-match': '*' }, 'done'],
    ['If-Match with a tag', { 'if-match': SAME }, 'done'],
  ])('before a write, %s is %s', (_title, fields, expected) =>
    expect(codeOf(() => requireWriteConditions(fields))).toBe(expected),
  );
});

describe('https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-deletes.html', () => {
  test.each<[string, Fields, string, string]>([
    ['no condition', {}, 'done', 'done'],
    ['If-Match: *', { 'if-match': '*' }, 'done', 'NoSuchKey'],
    ['If-Match with the same tag', { 'if-match': SAME }, 'done', 'NoSuchKey'],
    ['If-Match with another tag', { 'if-match': OTHER }, 'PreconditionFailed', 'NoSuchKey'],
    ['If-None-Match, which S3 does not know here,', { 'if-none-match': '*' }, 'done', 'done'],
  ])('%s is %s', (_title, fields, present, absent) => {
    expect(codeOf(() => checkMatch(fields, object))).toBe(present);
    expect(codeOf(() => checkMatch(fields, undefined))).toBe(absent);
  });
});
