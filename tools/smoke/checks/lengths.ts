import { type Check, check } from '../check.ts';
import { expectBytes, expectHeader, expectSame, expectStatus } from '../expect.ts';
import type { Smoke } from '../smoke.ts';

/**
 * HEAD and GET of the same path have the same Content-Length. API Gateway computes it, and an empty body for HEAD
 * would give 0.
 */
async function lengths(smoke: Smoke, path: string): Promise<string> {
  const got = expectStatus(await smoke.send('GET', path), 200);
  const head = expectStatus(await smoke.send('HEAD', path), 200);
  expectSame(got.headers['content-length'], String(got.bytes.length), 'Content-Length of GET');
  expectSame(head.headers['content-length'], String(got.bytes.length), 'Content-Length of HEAD');
  expectSame(head.bytes.length, 0, 'bytes after HEAD');
  return `HEAD and GET: ${head.headers['content-length']}`;
}

/** Source: RFC 9110 §8.6, §9.3.2. */
export const LENGTHS: readonly Check[] = [
  check('S1', 'HEAD of an item has the Content-Length of GET', async (smoke) =>
    lengths(smoke, await smoke.item()),
  ),
  check('S1', 'HEAD of a list has the Content-Length of GET', async (smoke) => {
    await smoke.item();
    return lengths(smoke, `${smoke.collection}?limit=1&sort=createdAt`);
  }),
  check('S1', 'HEAD of a file of 1 KiB has the Content-Length of GET', async (smoke) =>
    lengths(smoke, (await smoke.small()).path),
  ),
  check(
    'S1',
    'A file of 5 MiB comes from storage after a 307 for GET, and HEAD gives its length',
    async (smoke) => {
      const { path, bytes } = await smoke.large();
      const get = expectStatus(await smoke.send('GET', path), 307);
      const head = await smoke.send('HEAD', path);
      expectHeader(get, 'cache-control', /no-store/);
      const got = expectStatus(await smoke.follow('GET', expectHeader(get, 'location', /./)), 200);
      expectBytes(got.bytes, bytes);
      // Behind API Gateway, S3 states the length.
      const target =
        head.status === 307
          ? expectStatus(await smoke.follow('HEAD', expectHeader(head, 'location', /./)), 200)
          : expectStatus(head, 200);
      expectSame(target.headers['content-length'], String(bytes.length), 'Content-Length of HEAD');
      return `${bytes.length} bytes, as they were sent`;
    },
  ),
];
