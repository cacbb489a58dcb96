import { type Check, check } from '../check.ts';
import { expectBytes, expectHeader, expectSame, expectStatus, Skipped } from '../expect.ts';

/** A presigned URL carries its own credentials. S3 refuses a request with additional credentials. */
export const REDIRECTS: readonly Check[] = [
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
