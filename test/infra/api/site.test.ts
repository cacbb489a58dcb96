import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeSite } from '../../../infra/constructs/stores/site.ts';
import type { Options } from '../../../infra/options.ts';
import { siteFiles } from '../../../openapi/site/files.ts';
import { registry } from '../../../service/registry.ts';
import { synthesize, target } from '../synthesis.ts';
import { variablesOf } from '../variables.ts';

const service = await synthesize();

test('the site is in its own bucket without user data', () => {
  const { Properties } = service.one('Custom::CDKBucketDeployment');
  expect(Properties).toMatchObject({
    DestinationBucketKeyPrefix: 'site',
    Prune: true,
    RetainOnDelete: false,
  });
  expect(target(Properties.DestinationBucketName)).toBe(service.bucket('published').id);
  expect(variablesOf(service, 'site').BUCKET).toEqual({ Ref: service.bucket('published').id });
});

test('CDK’s own function has no permission on user data', () => {
  const bucket = service.bucket('published').id;
  const texts = service
    .brought('AWS::IAM::Policy')
    .map(({ Properties }) => JSON.stringify(Properties.PolicyDocument));
  expect(texts).toHaveLength(1);
  expect(texts[0]).toContain(bucket);
  expect(texts[0]).not.toContain(service.bucket('objects').id);
  expect(texts[0]).not.toMatch(/"Resource":"\*"|dynamodb:|sqs:/);
});

test('the files of the site belong to the stage, and another stage gets other files', () => {
  const [v1, none] = [siteFiles(registry, '/v1'), siteFiles(registry, '')];
  expect([...v1.keys()]).toEqual([...none.keys()]);
  for (const key of [
    'openapi.json',
    'openapi-3.2.json',
    'openapi/orders.json',
    'api-catalog.json',
    'schemas/file.json',
  ]) {
    expect(v1.get(key)?.toString()).toContain('"/v1/');
    expect(none.get(key)?.toString()).not.toContain('/v1');
  }
  expect([...v1.keys()].filter((key) => key.endsWith('swagger-ui-bundle.js'))).toHaveLength(1);
  expect(service.assets.filter((file) => file.endsWith('/openapi.json'))).toHaveLength(1);
});

test('a synthesis writes the files of the site in place of those that are there', () => {
  const directory = mkdtempSync(join(tmpdir(), 'site-'));
  writeFileSync(join(directory, 'old.json'), '{}');
  writeSite(directory, registry, { stage: 'v2' } as Options);
  expect(readdirSync(directory)).not.toContain('old.json');
  expect(readFileSync(join(directory, 'openapi.json'), 'utf8')).toContain('"/v2/');
  rmSync(directory, { recursive: true });
});

test('the script of pages has at most 8 KB', () => {
  expect(siteFiles(registry, '').get('assets/pages.js')?.length).toBeLessThanOrEqual(8192);
});

test('locally `npm start` publishes the site, and SAM deploys none', async () => {
  const local = await synthesize({ local: 'true' });
  expect(local.parts('Custom::CDKBucketDeployment')).toEqual([]);
});
