import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import type { Request } from '../../../../shared/http/request.ts';
import { ask, RUN } from '../steps/books.ts';
import { endingOf } from './ending.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const PATCH_TYPE = { 'content-type': 'application/merge-patch+json' };
const CALENDAR = { 'content-type': 'text/calendar' };
const EMMA = { body: '{"title":"Emma"}' };
const GZIP = { content: () => gzipSync('{"title":"Emma"}') };
const OTHER_DIGEST = 'sha-256=:AAAA:';
const DIGEST = 'sha-256=:EwM1AcIJw4EV1RvPR3ZOGmhL1zS7PCKr3L0p/IZCbBw=:';
const key = (text: string) => ({ ...JSON_TYPE, 'idempotency-key': text });
const caller = (tenant?: string) => ({
  principal: { subject: 'ada', scopes: ['books:read', 'books:write'], ...(tenant ? { tenant } : {}) },
});

const shown = ({
  representation,
  notAcceptable,
  content,
  preconditions,
  applied,
  pendingRefusal,
  keyed,
  request,
}: Understood) => [
  `${representation.mediaType} ${content.kind}`,
  ...(notAcceptable
    ? [`${notAcceptable.problem?.detail} ${JSON.stringify(notAcceptable.problem?.members)}`]
    : []),
  ...(request.method === 'PATCH' || content.kind === 'none'
    ? []
    : [`${Buffer.from(request.content() ?? [])}`]),
  ...Object.entries(preconditions ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} ${value}`],
  ),
  ...(applied.length > 0 ? [`applied ${applied}`] : []),
  ...(pendingRefusal ? [`pending ${pendingRefusal.ending.status}`] : []),
  ...(keyed ? [`${keyed.id} ${keyed.fingerprint} ${keyed.expiresAt}`] : []),
];

/** Endings of several rows. */
const NO_TITLE =
  '400 validation-error: The body is not valid. Correct the named properties; pointer /title: must be given';
const MALFORMED_KEY =
  '400 validation-error: The idempotency key is malformed. Send 1 to 255 characters of ASCII; header Idempotency-Key: must be one key of 1 to 255 characters of ASCII';

type Row = readonly [
  line: string,
  headers: Request['headers'],
  asked: Parameters<typeof ask>[2],
  ending: string,
];

const ROWS: readonly Row[] = [
  [
    'GET /books',
    { ...JSON_TYPE, accept: 'image/png' },
    EMMA,
    'application/json none; Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html, text/csv, application/jsonl, application/x-ndjson, application/ndjson, text/csv; safe=true {"available":["application/json","application/xml","text/xml","text/html","text/csv","application/jsonl","application/x-ndjson","application/ndjson","text/csv; safe=true"]}',
  ],
  [
    'GET /books/7',
    { ...JSON_TYPE, accept: 'image/png' },
    EMMA,
    'application/json none; Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html {"available":["application/json","application/xml","text/xml","text/html"]}',
  ],
  [
    'GET /books/new',
    { ...JSON_TYPE, accept: 'image/png' },
    EMMA,
    'text/html none; Accept names no format of this resource. Send one of text/html, application/json, application/xml, text/xml {"available":["text/html","application/json","application/xml","text/xml"]}',
  ],
  [
    'HEAD /books',
    { ...JSON_TYPE, accept: 'image/png' },
    EMMA,
    'application/json none; Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html, text/csv, application/jsonl, application/x-ndjson, application/ndjson, text/csv; safe=true {"available":["application/json","application/xml","text/xml","text/html","text/csv","application/jsonl","application/x-ndjson","application/ndjson","text/csv; safe=true"]}',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, accept: 'image/png' },
    EMMA,
    'application/json item; Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html {"available":["application/json","application/xml","text/xml","text/html"]}; {"title":"Emma"}',
  ],
  ['DELETE /books/7', { accept: 'image/png' }, {}, 'application/json none'],
  ['GET /books/7?fields=cover', { accept: 'text/html' }, {}, 'application/json none'],
  ['GET /books', { accept: 'text/csv' }, {}, 'text/csv none'],
  [
    'POST /books',
    { ...JSON_TYPE, accept: 'text/csv' },
    EMMA,
    'application/json item; Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html {"available":["application/json","application/xml","text/xml","text/html"]}; {"title":"Emma"}',
  ],
  ['GET /books/new', { accept: '*/*' }, {}, 'text/html none'],
  ['GET /books/new', { accept: 'application/json' }, {}, 'application/json none'],
  ['GET /books/new', { accept: 'application/*' }, {}, 'application/json none'],
  ['GET /books', { accept: 'application/jsonl' }, {}, 'application/jsonl none'],
  [
    'GET /books/7',
    { accept: 'application/jsonl' },
    {},
    'application/json none; Accept names no format of this resource. Send one of application/json, application/xml, text/xml, text/html {"available":["application/json","application/xml","text/xml","text/html"]}',
  ],
  [
    'POST /books',
    JSON_TYPE,
    { body: '{' },
    '400 malformed-body: The body is not valid application/json. Correct it at the place in errors; pointer : a name in quotes is expected here (at character 1)',
  ],
  ['POST /books', JSON_TYPE, { body: '{}' }, NO_TITLE],
  [
    'POST /books',
    JSON_TYPE,
    { body: '[]' },
    '400 validation-error: The list is empty: send at least one element; pointer : must have an element',
  ],
  [
    'POST /books',
    JSON_TYPE,
    { body: '1' },
    '400 validation-error: The body must be an object; pointer : must be an object',
  ],
  [
    'POST /books',
    {},
    EMMA,
    '415 unsupported-media-type: Send Content-Type with one of application/json, application/xml, text/xml, text/csv, application/jsonl, application/x-ndjson, application/ndjson, application/x-www-form-urlencoded, multipart/form-data, in UTF-8; Accept-Post: application/json, application/xml, text/xml, text/csv, application/jsonl, application/x-ndjson, application/ndjson, application/x-www-form-urlencoded, multipart/form-data',
  ],
  [
    'POST /books',
    JSON_TYPE,
    {},
    '400 malformed-body: The request has no body. Send one, and its media type in Content-Type',
  ],
  [
    'POST /books',
    CALENDAR,
    EMMA,
    '415 unsupported-media-type: Send Content-Type with one of application/json, application/xml, text/xml, text/csv, application/jsonl, application/x-ndjson, application/ndjson, application/x-www-form-urlencoded, multipart/form-data, in UTF-8; Accept-Post: application/json, application/xml, text/xml, text/csv, application/jsonl, application/x-ndjson, application/ndjson, application/x-www-form-urlencoded, multipart/form-data',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'if-match': 'unquoted' },
    EMMA,
    '400 validation-error: If-Match is not a list of entity tags. Send * or the ETag of a response; header If-Match: must be * or entity tags in double quotes',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'if-none-match': 'unquoted' },
    EMMA,
    '400 validation-error: If-None-Match is not a list of entity tags. Send * or the ETag of a response; header If-None-Match: must be * or entity tags in double quotes',
  ],
  [
    'POST /books',
    {
      ...JSON_TYPE,
      'if-match': '"3"',
      'if-none-match': '"4"',
      'if-modified-since': 'now',
      'if-unmodified-since': 'then',
    },
    EMMA,
    'application/json item; {"title":"Emma"}; ifMatch "3"; ifNoneMatch "4"; ifModifiedSince now; ifUnmodifiedSince then',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'content-encoding': 'br' },
    EMMA,
    '415 unsupported-media-type: Send the content in gzip, or as it is: no other content coding is supported; Accept-Encoding: gzip',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
    { content: () => gzipSync('{"title":"Emma"}').subarray(0, -3) },
    '400 malformed-body: The content is not valid gzip. Compress it again, or send it without Content-Encoding; header Content-Encoding: names gzip, and the content cannot be unpacked',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'content-digest': OTHER_DIGEST },
    EMMA,
    '400 digest-invalid-values: No content has such a digest. Compute it again; header Content-Digest: sha-256 has 32 bytes; {"invalid-digests":[{"algorithm":"sha-256","header":"Content-Digest","reason":"sha-256 has 32 bytes"}]}',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'repr-digest': OTHER_DIGEST },
    EMMA,
    '400 digest-invalid-values: No content has such a digest. Compute it again; header Repr-Digest: sha-256 has 32 bytes; {"invalid-digests":[{"algorithm":"sha-256","header":"Repr-Digest","reason":"sha-256 has 32 bytes"}]}',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'content-digest': DIGEST },
    EMMA,
    '400 digest-mismatched-values: The content is not what its digest says. Send both again; header Content-Digest: the content that arrived has another sha-256; {"mismatched-digests":[{"algorithm":"sha-256","provided-digest":":EwM1AcIJw4EV1RvPR3ZOGmhL1zS7PCKr3L0p/IZCbBw=:","header":"Content-Digest"}]}',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, 'content-encoding': 'gzip' },
    GZIP,
    'application/json item; {"title":"Emma"}',
  ],
  [
    'POST /books/new',
    { ...FORM_TYPE, 'content-encoding': 'gzip' },
    { content: () => gzipSync('title=Emma') },
    'application/json item; title=Emma',
  ],
  ['GET /books', { 'content-digest': OTHER_DIGEST }, EMMA, 'application/json none'],
  ['GET /books', JSON_TYPE, { body: '{' }, 'application/json none'],
  [
    'POST /books/7/delete',
    JSON_TYPE,
    { body: '{' },
    '400 malformed-body: The body is not valid application/json. Correct it at the place in errors; pointer : a name in quotes is expected here (at character 1)',
  ],
  ['POST /books/7/delete', JSON_TYPE, { body: '{}' }, 'application/json none'],
  [
    'POST /books/7/delete',
    JSON_TYPE,
    EMMA,
    '400 validation-error: The request takes no input. Send it without a body; pointer /title: is not an input of this request, which has none',
  ],
  ['POST /books/7/delete', FORM_TYPE, { body: '' }, 'application/json none'],
  [
    'POST /books/7/delete',
    CALENDAR,
    EMMA,
    '415 unsupported-media-type: Send Content-Type with one of application/json, application/xml, text/xml, application/x-www-form-urlencoded, multipart/form-data, in UTF-8; Accept-Post: application/json, application/xml, text/xml, application/x-www-form-urlencoded, multipart/form-data',
  ],
  ['POST /books/7/delete', {}, {}, 'application/json none'],
  [
    'PUT /books/7',
    JSON_TYPE,
    { body: '{"id":8,"title":"Emma"}' },
    '400 validation-error: The body names another item than the path. Leave its identifier out; pointer /id: must be 7, or be left out',
  ],
  [
    'PUT /books/7?fields=cover',
    CALENDAR,
    EMMA,
    '415 unsupported-media-type: The Content-Type must be image/*; Accept: image/*',
  ],
  [
    'PUT /books/7?fields=cover',
    { 'content-type': 'image/png' },
    EMMA,
    'application/json bytes; {"title":"Emma"}',
  ],
  [
    'PATCH /books/7',
    JSON_TYPE,
    EMMA,
    '415 unsupported-media-type: Send Content-Type with one of application/merge-patch+json, application/json-patch+json; for this object, application/merge-patch+json; Accept-Patch: application/merge-patch+json, application/json-patch+json',
  ],
  [
    'PATCH /books/7',
    PATCH_TYPE,
    { body: '{' },
    '400 malformed-patch: The patch document is not valid JSON. Correct it at the place in errors; pointer : a name in quotes is expected here (at character 1)',
  ],
  ['PATCH /books/7', PATCH_TYPE, EMMA, 'application/json patch'],
  ['POST /books/7', JSON_TYPE, EMMA, 'application/json change; {"title":"Emma"}'],
  ['POST /books/new', FORM_TYPE, { body: 'title=Emma' }, 'application/json item; title=Emma'],
  ['POST /books/new', FORM_TYPE, { body: 'title=' }, NO_TITLE],
  [
    'POST /books/7/edit',
    { ...FORM_TYPE, 'if-none-match': '"4"' },
    { body: 'title=Emma&%3Aif-match=%223%22' },
    'application/json change; title=Emma&%3Aif-match=%223%22; ifMatch "3"; ifNoneMatch "4"',
  ],
  [
    'POST /books/7/edit',
    FORM_TYPE,
    { body: 'title=Emma&%3Aif-match=%223%22' },
    'application/json change; title=Emma&%3Aif-match=%223%22; ifMatch "3"',
  ],
  ['POST /books/7/edit', FORM_TYPE, { body: 'title=Emma' }, 'application/json change; title=Emma'],
  ['POST /shelves/2/books', JSON_TYPE, { body: '{}' }, 'application/json none; pending 400'],
  [
    'POST /shelves/2/books?fields=colour',
    { ...JSON_TYPE, prefer: 'handling=strict' },
    { body: '{' },
    'application/json none; applied handling=strict; pending 400',
  ],
  ['POST /shelves/2/books', FORM_TYPE, { body: 'title=' }, 'application/json none; pending 400'],
  [
    'POST /books',
    { ...JSON_TYPE, prefer: 'handling=lenient' },
    EMMA,
    'application/json item; {"title":"Emma"}',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, prefer: 'handling=lenient' },
    { body: '[{"title":"Emma"}]' },
    'application/json items; [{"title":"Emma"}]; applied handling=lenient',
  ],
  [
    'POST /books',
    { ...JSON_TYPE, prefer: 'handling=strict' },
    { body: '[{"title":"Emma"}]' },
    'application/json items; [{"title":"Emma"}]; applied handling=strict',
  ],
  ['POST /books', key(''), EMMA, MALFORMED_KEY],
  ['POST /books', key('"a"'), { ...EMMA, repeated: new Set(['idempotency-key']) }, MALFORMED_KEY],
  ['PUT /books/7', key(''), EMMA, 'application/json item; {"title":"Emma"}'],
  [
    'POST /books',
    key('"a"'),
    EMMA,
    'application/json item; {"title":"Emma"}; 6k7zTWVGKxKfckPv-A0-RTEQr-hCLeKGXgt2ajYG9EY FG52Cy8oiFK_zWZPEIekL5A9HuiaNLdgS8kj2C9BHqo 86405000',
  ],
  [
    'POST /books',
    key('"b"'),
    EMMA,
    'application/json item; {"title":"Emma"}; zvYmVOusNGwkeEYLp1_mJXqCAQ1N4ji58uivzB5Q_iU FG52Cy8oiFK_zWZPEIekL5A9HuiaNLdgS8kj2C9BHqo 86405000',
  ],
  [
    'POST /books?a=1',
    key('"a"'),
    EMMA,
    'application/json item; {"title":"Emma"}; 6k7zTWVGKxKfckPv-A0-RTEQr-hCLeKGXgt2ajYG9EY QivXScAVnTKlrLYbBCcj312CEJBwsgZl4laCx_zz8Vs 86405000',
  ],
  [
    'POST /books/7',
    key('"a"'),
    EMMA,
    'application/json change; {"title":"Emma"}; FyqeWtMMRDCCmqHshlmhdwjgSq-VJbjtG2ZxBSH3cak FG52Cy8oiFK_zWZPEIekL5A9HuiaNLdgS8kj2C9BHqo 86405000',
  ],
  [
    'PATCH /books/7',
    { ...PATCH_TYPE, 'idempotency-key': '"a"' },
    EMMA,
    'application/json patch; ChYniVcKggveKS6M-ocxqItDQYdEBnJwp_s0T61ROQ0 M9d4yoHdxHsphou9QSHKvDuJTY0mUvwMgvilU0CHhGw 86405000',
  ],
  [
    'POST /books',
    key('"a"'),
    { ...EMMA, ...caller() },
    'application/json item; {"title":"Emma"}; tZBcE5MqknuMW-f8qEshBqp-CY_hqFrlSMIwg89Gkq0 FG52Cy8oiFK_zWZPEIekL5A9HuiaNLdgS8kj2C9BHqo 86405000',
  ],
  [
    'POST /books',
    key('"a"'),
    { ...EMMA, ...caller('acme') },
    'application/json item; {"title":"Emma"}; Rxe5nkt-iE7pdjso8vIojAK-rAUB8n-pDlerWNNiT-s FG52Cy8oiFK_zWZPEIekL5A9HuiaNLdgS8kj2C9BHqo 86405000',
  ],
  [
    'POST /books/7/delete',
    { 'idempotency-key': '"a"' },
    {},
    'application/json none; 2OOk8hHhDS_oSuVT-KHHe5hgURa2eWHeFSrTF1nrrQI HPkWduKLsaHNYGKHM6JWJLUmHNWZSxwTgjOJDOz8UqU 86405000',
  ],
  [
    'POST /books/new',
    FORM_TYPE,
    { body: 'title=Emma&%3Aidempotency-key=k' },
    'application/json item; title=Emma&%3Aidempotency-key=k; WY9wJ1dhmfe_upxjfsrS0kocq56TNEkY9ph3vYCr4pw JAUZ-2JvlpEMJT7_erWxI9XPtt9890jUg9mL9q12opA 86405000',
  ],
  [
    'POST /books/7/edit',
    FORM_TYPE,
    { body: 'title=Emma&%3Aidempotency-key=k' },
    'application/json change; title=Emma&%3Aidempotency-key=k; w6UNpga1XT983JXIsGxH9e5vsc50nt6kLVkcfSalZtk JAUZ-2JvlpEMJT7_erWxI9XPtt9890jUg9mL9q12opA 86405000',
  ],
  ['POST /books/new', FORM_TYPE, { body: 'title=Emma&%3Aidempotency-key=' }, MALFORMED_KEY],
  ['DELETE /books/7', {}, { asOperation: RUN }, 'application/json none; operation operation 60000'],
  [
    'POST /books',
    key('"a"'),
    { ...EMMA, asOperation: RUN },
    'application/json item; {"title":"Emma"}; operation operation 60000',
  ],
];

test.each(ROWS)('negotiate, content and idempotencyKey, row %#: %s', async (line, headers, asked, ending) => {
  expect(await endingOf(PURE, ask(line, headers, asked), shown)).toBe(ending);
});
