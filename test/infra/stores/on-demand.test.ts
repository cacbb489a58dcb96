import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { bundle, bundleInto, ON_DEMAND } from '../../../infra/bundle/bundle.ts';

/** Runs the bundle of `members` as in Lambda, where nothing else of this project is available. */
const directory = mkdtempSync(join(tmpdir(), 'resource-api-bundle-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function invoke(event: object): { statusCode: number; headers: Record<string, string>; body: string } {
  const script = join(directory, 'invoke.cjs');
  writeFileSync(
    script,
    `process.env.TABLE_MEMBERS = 'members';
     require('./index.js').handler(${JSON.stringify(event)}, {}).then((answer) => console.log(JSON.stringify(answer)));`,
  );
  return JSON.parse(execFileSync(process.execPath, [script], { cwd: directory, encoding: 'utf8' }));
}

describe('a deployed bundle', () => {
  const built = bundle('members', join(directory, 'build'));
  cpSync(built.directory, directory, { recursive: true });

  test('contains the modules that it loads on demand', () =>
    expect(built.onDemand).toEqual([
      '#binaries',
      '#bulk',
      '#constraints',
      '#csv',
      '#deferral',
      '#digests',
      '#files',
      '#forms',
      '#inputs',
      '#field-limits',
      '#media-types',
      '#pages',
      '#patches',
      '#xml',
      '@fastify/busboy',
      'saxes',
      'structured-headers',
    ]));
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

test('a bundle of an on-demand module exports each name that the code takes from it', () => {
  const sources = ['shared', 'functions'].flatMap((folder) =>
    globSync(`${folder}/**/*.ts`).map((path) => readFileSync(path, 'utf8')),
  );
  const taken = sources.flatMap((source) => [
    ...[...source.matchAll(/import\('(#\w+)'\)\)\.(\w+)/g)].map(([, module, name]) => [module, name]),
    ...[...source.matchAll(/\{ (\w+) \} = await import\('(#\w+)'\)/g)].map(([, name, module]) => [
      module,
      name,
    ]),
    ...[...source.matchAll(/import\('(#\w+)'\)\.then\(\(\{ (\w+) \}\)/g)].map(([, module, name]) => [
      module,
      name,
    ]),
  ]);
  expect(taken.length).toBeGreaterThan(5);
  for (const [module = '', name] of taken)
    expect([module, ON_DEMAND[module]]).toEqual([module, expect.arrayContaining([name])]);
});

describe('two bundles with a copy of a class each', () => {
  const load = createRequire(import.meta.url);
  const copies = ['one', 'other'].map((name) => {
    const loaded = <Loaded>(path: string): Loaded => {
      const target = join(directory, name, path);
      bundleInto(target, path);
      return load(join(target, 'index.js')) as Loaded;
    };
    return {
      ...loaded<typeof import('../../../shared/json/decimal.ts')>('shared/json/decimal.ts'),
      ...loaded<typeof import('../../../shared/http/unavailable.ts')>('shared/http/unavailable.ts'),
    };
  });
  const [one, other] = copies as [(typeof copies)[0], (typeof copies)[0]];

  test('recognize and compute with each other’s decimals', () => {
    expect(one.Decimal).not.toBe(other.Decimal);
    const [price, factor] = [one.Decimal.parse('0.10'), other.Decimal.parse('3')];
    expect(price instanceof other.Decimal).toBe(true);
    expect(price?.times(factor as never).text).toBe('0.3');
    expect(price?.plus(factor as never).text).toBe('3.1');
    for (const none of [1, '1', null, {}, { significand: '1', exponent: 1, sign: 1, text: '1' }])
      expect(none instanceof one.Decimal).toBe(false);
  });
  test('recognize each other’s errors', () => {
    expect(new one.Unavailable('x') instanceof other.Unavailable).toBe(true);
    expect(new Error('x') instanceof one.Unavailable).toBe(false);
  });
});
