import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { bundleOf } from '../bundles.ts';

/** Runs the bundle of `members` as in Lambda, where nothing else of this project is available. */
const directory = mkdtempSync(join(tmpdir(), 'resource-api-bundle-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function invoke(event: object): { statusCode: number; headers: Record<string, string>; body: string } {
  const script = join(directory, 'invoke.cjs');
  writeFileSync(
    script,
    `process.env.TABLES = 'members=members';
     require('./index.js').handler(${JSON.stringify(event)}, {}).then((answer) => console.log(JSON.stringify(answer)));`,
  );
  return JSON.parse(execFileSync(process.execPath, [script], { cwd: directory, encoding: 'utf8' }));
}

const built = await bundleOf('members');
cpSync(built.directory, directory, { recursive: true });

/** Modules that few requests need, and packages that only they need. */
const LATER = [
  'node_modules/@aws-sdk/client-s3/dist-es/S3Client.js',
  'node_modules/@aws-sdk/client-sqs/dist-es/SQSClient.js',
  'node_modules/@fastify/busboy/deps/dicer/lib/Dicer.js',
  'node_modules/csv-parse/lib/sync.js',
  'node_modules/file-type/core.js',
  'node_modules/saxes/saxes.js',
  'node_modules/structured-headers/dist/index.js',
  'pages/browser/answer-browser.ts',
  'pages/page.ts',
  'shared/files/binaries/objects.ts',
  'shared/flow/request/digests.ts',
  'shared/flow/request/files-body.ts',
  'shared/flow/request/patch-body.ts',
  'shared/operations/accepting/defer.ts',
  'shared/operations/bulk/bulk-actions.ts',
  'shared/operations/record/long-inputs.ts',
  'shared/representations/csv/csv-reader.ts',
  'shared/representations/files/inferred-type.ts',
  'shared/representations/forms/form-document.ts',
  'shared/representations/xml/xml-reader.ts',
  'shared/resource/access/field-limits.ts',
  'shared/store/constraints/apply-constraints.ts',
];

describe('a deployed bundle', () => {
  test('loads code on demand that few requests need', () => {
    const later = built.chunks.filter(({ isStatic }) => !isStatic).flatMap(({ modules }) => modules);
    expect(LATER.filter((module) => !later.includes(module))).toEqual([]);
  });
  test('reads XML with its own parser module', () => {
    const answer = invoke({
      resource: '/members',
      path: '/members',
      httpMethod: 'POST',
      multiValueHeaders: { 'Content-Type': ['application/xml'], Accept: ['application/xml'] },
      body: Buffer.from('<a><b></a>').toString('base64'),
      isBase64Encoded: true,
      requestContext: { requestId: 'r', requestTimeEpoch: 0 },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['Content-Type']).toBe('application/problem+xml');
    expect(answer.body).toContain('unexpected close tag');
  });
  test('reads a patch with its own reader module', () => {
    const answer = invoke({
      resource: '/members/{id}',
      path: '/members/1',
      pathParameters: { id: '1' },
      httpMethod: 'PATCH',
      multiValueHeaders: { 'Content-Type': ['application/json-patch+json'] },
      body: '{"op":"add"}',
      isBase64Encoded: false,
      requestContext: { requestId: 'r', requestTimeEpoch: 0 },
    });
    expect(answer.statusCode).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({ type: '/problems/malformed-patch' });
  });
  test('writes a page with its own writer module', () => {
    const answer = invoke({
      resource: '/members/new',
      path: '/members/new',
      httpMethod: 'GET',
      requestContext: { requestId: 'r', requestTimeEpoch: 0 },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['Content-Type']).toBe('text/html; charset=utf-8');
    expect(answer.body).toContain('<h1>New member</h1>');
  });
});
