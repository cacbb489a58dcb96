import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Check, check } from '../check.ts';
import { expectBytes, expectHeader, expectProblem, expectStatus, Skipped } from '../expect.ts';
import { BINARY, type Smoke } from '../smoke.ts';

const MIB = 1024 * 1024;

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

/** Source: API Gateway and Lambda quotas (payload); RFC 9110 §8.4.1, §15.5.14, §15.5.16. */
export const CONTENTS: readonly Check[] = [
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
  check('S9', 'The service refuses content in gzip: 415', async (smoke) => {
    const path = await smoke.file('gzip.txt');
    const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' };
    const body = gzipSync('smoke');
    const answer = expectProblem(await smoke.send('PUT', path, { headers, body }), 415);
    expectStatus(await smoke.send('GET', path), 404);
    return `Accept-Encoding: ${expectHeader(answer, 'accept-encoding', 'identity')}`;
  }),
];
