import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { addressOf } from '../../../shared/files/address.ts';
import type { ObjectFacts } from '../../../shared/files/objects.ts';

const place = { Bucket: 'bucket', Key: 'files/a b.html' };
const facts: ObjectFacts = {
  etag: { weak: false, opaque: 'tag' },
  size: 5_000_000,
  lastModified: 0,
  mediaType: 'text/html; charset=utf-8',
};
const of = async (more: Partial<ObjectFacts> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  new URL(await addressOf(place, { ...facts, ...more }, method));

beforeAll(() =>
  configureClients({ credentials: { accessKeyId: 'key', secretAccessKey: 'x' }, region: 'eu-west-1' }),
);
afterAll(() => {
  configureClients({});
  delete process.env.CLIENT_ENDPOINT_URL_S3;
});

describe('the host where a client reads an object', () => {
  test('is AWS, unless clients reach S3 elsewhere', async () => {
    expect((await of()).origin).toBe('https://bucket.s3.eu-west-1.amazonaws.com');
    process.env.CLIENT_ENDPOINT_URL_S3 = 'http://127.0.0.1:4000';
    const { origin, pathname } = await of();
    expect([origin, pathname]).toEqual(['http://127.0.0.1:4000', '/bucket/files/a%20b.html']);
  });

  test('is the service itself with a path, if the edge forwards there', async () => {
    process.env.OBJECTS_PATH = '/objects';
    const address = await addressOf(place, facts, 'GET');
    delete process.env.OBJECTS_PATH;
    const direct = await addressOf(place, facts, 'GET');
    expect(address).toMatch(/^\/objects\/.*files\/a%20b\.html\?X-Amz-/);
    expect(new URL(direct).pathname).toBe(address.slice('/objects'.length).split('?')[0]);
  });

  test.each(['GET', 'HEAD'] as const)('serves the checked object: %s', async (method) => {
    const { searchParams } = await of({ version: 'v1' }, method);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      versionId: 'v1',
      'response-content-type': 'text/html; charset=utf-8',
      'response-content-disposition': 'attachment',
      'X-Amz-Expires': '300',
      // A client sends no header field that would need a signature.
      'X-Amz-SignedHeaders': 'host',
    });
  });

  test('gets a version or a download name only if there is one', async () => {
    const { searchParams } = await of({ mediaType: 'video/mp4' });
    expect(searchParams.has('versionId')).toBe(false);
    expect(searchParams.has('response-content-disposition')).toBe(false);
  });
});
