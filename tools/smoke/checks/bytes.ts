import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Check, check } from '../check.ts';
import { expectBytes, expectHeader, expectProblem, expectSame, expectStatus, Skipped } from '../expect.ts';
import { BINARY, MIB, type Smoke } from '../smoke.ts';

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

/** Sends a file above the size limit. Returns the media type of the response. */
async function tooLarge(smoke: Smoke, size: number): Promise<string> {
  const path = await smoke.file(`${size}.bin`);
  const answer = await smoke
    .send('PUT', path, { body: Buffer.alloc(size, 1), headers: BINARY })
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error;
      throw new Skipped(
        'The connection closed before the client had sent the whole body, so the response was lost',
      );
    });
  expectStatus(answer, 413);
  expectStatus(await smoke.send('GET', path), 404);
  return `413, ${answer.headers['content-type'] ?? 'no content type'}`;
}

/** The bytes of representations and files: their lengths, ranges, limits and redirects. */
export const BYTES: readonly Check[] = [
  // Source: RFC 9110 §8.6, §9.3.2.
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
  // Source: RFC 9110 §14.4, §15.3.7, §15.5.17.
  check('S2', 'A range of a small file: 206, Content-Range, its own Content-Length', async (smoke) => {
    const { path, bytes } = await smoke.small();
    const answer = expectStatus(await smoke.send('GET', path, { headers: { Range: 'bytes=10-29' } }), 206);
    const range = expectHeader(answer, 'content-range', `bytes 10-29/${bytes.length}`);
    expectSame(answer.headers['content-length'], '20', 'Content-Length');
    expectBytes(answer.bytes, bytes.subarray(10, 30));
    return range;
  }),
  check('S2', 'A range after the end of the file: 416 with the length of the file', async (smoke) => {
    const { path, bytes } = await smoke.small();
    const answer = await smoke.send('GET', path, { headers: { Range: `bytes=${bytes.length}-` } });
    expectProblem(answer, 416);
    return expectHeader(answer, 'content-range', `bytes */${bytes.length}`);
  }),
  check('S2', 'A short range of a large file comes through the function: 206', async (smoke) => {
    const { path, bytes } = await smoke.large();
    const answer = await smoke.send('GET', path, { headers: { Range: 'bytes=-5' } });
    expectStatus(answer, 206);
    expectBytes(answer.bytes, bytes.subarray(-5));
    return expectHeader(answer, 'content-range', /^bytes \d+-\d+\/\d+$/);
  }),
  check('S2', 'A long range of a large file comes from storage: 307, then 206', async (smoke) => {
    const { path, bytes } = await smoke.large();
    const Range = `bytes=1-${bytes.length - 1}`;
    const answer = expectStatus(await smoke.send('GET', path, { headers: { Range } }), 307);
    const location = expectHeader(answer, 'location', /./);
    const got = expectStatus(await smoke.follow('GET', location, { headers: { Range } }), 206);
    expectBytes(got.bytes, bytes.subarray(1));
    return expectHeader(got, 'content-range', `bytes 1-${bytes.length - 1}/${bytes.length}`);
  }),
  // Source: API Gateway and Lambda quotas (payload); RFC 9110 §8.4.1, §15.5.14, §15.5.16.
  check('S6', 'The service stores and returns 4 MiB of every byte unchanged', async (smoke) => {
    const { path, bytes } = await smoke.store('4mib.bin', randomBytes(4 * MIB));
    const answer = expectStatus(await smoke.send('GET', path), 200);
    expectBytes(answer.bytes, bytes);
    return `${answer.bytes.length} bytes`;
  }),
  check('S6', 'A little more than 4 MiB: the service’s own 413, with a link to uploads', async (smoke) => {
    const path = await smoke.file('4mib-and-1.bin');
    const body = Buffer.alloc(4 * MIB + 1, 1);
    const answer = expectProblem(await smoke.send('PUT', path, { body, headers: BINARY }), 413);
    return String(answer.json().detail);
  }),
  check('S6', '5 MiB, more than a function receives: 413', (smoke) => tooLarge(smoke, 5 * MIB)),
  check('S6', '11 MiB, more than API Gateway accepts: 413', (smoke) => tooLarge(smoke, 11 * MIB)),
  check('S9', 'The service takes an item in gzip: 201', async (smoke) => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
    const [first, second] = [await smoke.draft('gzip'), await smoke.draft('digest')];
    await smoke.createFrom(first.path, { headers, body: gzipSync(JSON.stringify(first.json)) });
    // Only a function that gets the packed content compares its digest.
    const digest = `sha-256=:${Buffer.alloc(32).toString('base64')}:`;
    const body = gzipSync(JSON.stringify(second.json));
    const wrong = { headers: { ...headers, 'Content-Digest': digest }, body };
    const { status, headers: fields } = await smoke.send('POST', second.path, wrong);
    if (status === 400) return 'the gateway passes gzip on';
    expectSame(status, 201, 'status');
    smoke.takeAway(smoke.pathOf(fields.location ?? ''));
    return 'the gateway unpacks gzip';
  }),
  // A presigned URL carries its own credentials. S3 refuses a request with additional credentials.
  check(
    'S15',
    'A client that drops Authorization at another host reads a large file through the redirect',
    async (smoke) => {
      const { path, bytes } = await smoke.large();
      const answer = await fetch(`${smoke.url}${path}`, { headers: smoke.credentials });
      expectSame(answer.status, 200, 'status');
      expectSame(answer.redirected, true, 'redirected');
      expectBytes(Buffer.from(await answer.arrayBuffer()), bytes);
      return `${bytes.length} bytes from ${new URL(answer.url).host}`;
    },
  ),
  check('S15', 'A client that sends Authorization to storage too gets 400 from storage', async (smoke) => {
    const { path } = await smoke.large();
    const location = expectHeader(expectStatus(await smoke.send('GET', path), 307), 'location', /./);
    if (new URL(location, smoke.url).origin === new URL(smoke.url).origin)
      throw new Skipped(
        'Storage and the API have the same host, so the client sends it the credentials anyway',
      );
    const headers = { Authorization: smoke.credentials.Authorization ?? 'Bearer none' };
    const answer = expectStatus(await smoke.follow('GET', location, { headers }), 400);
    return /<Code>(\w+)/.exec(answer.text)?.[1] ?? String(answer.status);
  }),
];
