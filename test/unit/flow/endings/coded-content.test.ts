import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { PURE } from '../../../../shared/flow/answer.ts';
import type { Understood } from '../../../../shared/flow/exchange.ts';
import { toRequest } from '../../../../shared/lambda/event.ts';
import { ask } from '../steps/books.ts';
import { endingOf } from './ending.ts';

/**
 * Content in gzip of every kind, as clients send it and as API Gateway unpacks it: it keeps the fields of the coded
 * content. Source: API Gateway Developer Guide, "Call an API method with a compressed payload"; RFC 9110 §8.4; RFC 9530 §3.
 */
const PART = '--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nEmma\r\n--b--\r\n';
const KINDS: readonly (readonly [line: string, type: string, text: string])[] = [
  ['POST /books', 'application/json', '{"title":"Emma"}'],
  ['POST /books', 'application/json', '[{"title":"Emma"}]'],
  ['POST /books', 'application/xml', '<book><title>Emma</title></book>'],
  ['POST /books', 'application/x-www-form-urlencoded', 'title=Emma'],
  ['POST /books', 'multipart/form-data; boundary=b', PART],
  ['POST /books', 'text/csv', 'title\r\nEmma\r\n'],
  ['POST /books', 'application/jsonl', '{"title":"Emma"}\n'],
  ['POST /books/new', 'application/x-www-form-urlencoded', 'title=Emma'],
  ['PUT /books/7', 'application/json', '{"title":"Emma"}'],
  ['PATCH /books/7', 'application/merge-patch+json', '{"title":"Emma"}'],
  ['POST /books/7/delete', 'application/json', '{}'],
];
const ENCODINGS = ['base64', 'utf8'] as const;

const digestOf = (bytes: Uint8Array | string) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

/** The content that the steps read, and the fields of coded content that are left. */
const shown = ({ content, request: { headers } }: Understood) => [
  JSON.stringify(content),
  ...['content-encoding', 'content-digest', 'repr-digest'].filter((name) => headers[name] !== undefined),
];

/** How the steps end a request whose event has this content. */
function ending(
  line: string,
  fields: Readonly<Record<string, string>>,
  bytes: Uint8Array,
  encoding: (typeof ENCODINGS)[number],
) {
  const [httpMethod, path] = line.split(' ');
  const event = {
    httpMethod,
    path,
    resource: path,
    multiValueHeaders: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]])),
    body: Buffer.from(bytes).toString(encoding),
    isBase64Encoded: encoding === 'base64',
    requestContext: { requestId: 'r', requestTimeEpoch: 5000, stage: 'v1', domainName: 'example.org' },
  } as unknown as APIGatewayProxyEvent;
  const { headers, content } = toRequest(event);
  return endingOf(PURE, ask(line, headers, { content }), shown);
}

// Specification 2.48
describe.each(KINDS)('%s of %s in gzip', (line, type, text) => {
  const plain = Buffer.from(text);
  const packed = gzipSync(plain);
  const coded = { 'Content-Type': type, 'Content-Encoding': 'gzip' };

  test('is the same as without coding, packed or unpacked on its way', async () => {
    const right = await ending(line, { 'Content-Type': type }, plain, 'base64');
    expect(right).not.toMatch(/^\d/);
    expect(await ending(line, coded, packed, 'base64')).toBe(right);
    for (const encoding of ENCODINGS)
      for (const name of ['gzip', 'GZIP', 'x-gzip', 'identity, gzip'])
        expect(await ending(line, { ...coded, 'Content-Encoding': name }, plain, encoding)).toBe(right);
  });

  test.each(['Content-Digest', 'Repr-Digest'])(
    'has the %s of the packed bytes, judged as long as they are here',
    async (field) => {
      const right = await ending(line, { 'Content-Type': type }, plain, 'base64');
      const digested = { ...coded, [field]: digestOf(packed) };
      expect(await ending(line, digested, packed, 'base64')).toBe(right);
      for (const encoding of ENCODINGS) expect(await ending(line, digested, plain, encoding)).toBe(right);
      const wrong = { ...coded, [field]: digestOf(plain) };
      expect(await ending(line, wrong, packed, 'base64')).toMatch(/^400 digest-mismatched-values/);
    },
  );

  test('gets 400 if it begins as gzip and cannot be unpacked', async () => {
    const broken = Buffer.from(packed);
    broken.writeUInt8(broken.readUInt8(broken.length - 5) ^ 1, broken.length - 5);
    for (const bytes of [packed.subarray(0, -3), broken, Buffer.from([31, 139])])
      expect(await ending(line, coded, bytes, 'base64')).toMatch(
        /^400 malformed-body: The content is not valid gzip/,
      );
  });

  test('gets 413 if it unpacks to too much', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    const maximum = type.startsWith('multipart') ? 4_700_000 : 1_000_000;
    expect(await ending(line, coded, bomb, 'base64')).toMatch(
      new RegExp(`^413 .*${JSON.stringify({ maximum })}$`),
    );
  });
});
