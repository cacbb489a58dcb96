import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, expect, test } from '@jest/globals';
import { gateway } from '../../../local/gateway/gateway.ts';
import { type Client, clientOf } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';

/** What the local gateway does with coded content, and with long paths, before it calls a function. */
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
});

/** A client of a gateway before a function that returns its content, its coding and its digest. */
async function listening(more: Partial<Parameters<typeof gateway>[0]> = {}): Promise<Client> {
  const server = gateway({
    routes: [{ template: '/{proxy+}', resource: 'echo', isOpen: false }],
    handlers: new Map([
      [
        'echo',
        async ({ body, headers }) => {
          const content = Buffer.from(body ?? '', 'base64').toString('latin1');
          const kept = { coding: headers['Content-Encoding'], digest: headers['Content-Digest'] };
          return { statusCode: 200, body: JSON.stringify({ content, ...kept }) };
        },
      ],
    ]),
    stage: { name: 'local', inPath: false },
    ...more,
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const coded = (coding: string, body: Buffer) => ({
  body,
  headers: { 'Content-Encoding': coding, 'Content-Digest': 'sha-256=:AAAA:' },
});

// Source: API Gateway Developer Guide, "Call an API method with a compressed payload".
test('gzip and deflate reach a function unpacked, with the fields of the packed content', async () => {
  const send = await listening();
  for (const [coding, body] of [
    ['gzip', gzipSync('one')],
    ['GZIP', gzipSync('one')],
    ['deflate', deflateSync('one')],
    ['identity', Buffer.from('one')],
    ['gzip', Buffer.concat([gzipSync('on'), gzipSync('e')])],
  ] as const)
    expect((await send('POST', '/', coded(coding, body))).json()).toEqual({
      content: 'one',
      coding,
      digest: 'sha-256=:AAAA:',
    });
  expect((await send('POST', '/', coded('gzip', Buffer.alloc(0)))).json().content).toBe('');
});

// Specification 2.48
test('content in another coding, or not in its coding, gets 415 of the gateway', async () => {
  const send = await listening();
  for (const [coding, body] of [
    ['br', brotliCompressSync('one')],
    ['gzip, gzip', gzipSync(gzipSync('one'))],
    ['gzip', Buffer.from('one')],
    ['deflate', Buffer.from('one')],
  ] as const) {
    const answer = await send('POST', '/', coded(coding, body));
    expectProblem(answer, 415, 'unsupported-media-type');
    expect(answer.headers['accept-encoding']).toBe('gzip');
  }
  expectProblem(await send('POST', '/', coded('gzip', gzipSync(Buffer.alloc(11_000_000)))), 413);
});

test('a gateway that leaves content alone passes every coding on', async () => {
  const send = await listening({ passesCodings: true });
  const body = gzipSync('one');
  const { content } = (await send('POST', '/', coded('gzip', body))).json();
  expect(content).toBe(body.toString('latin1'));
});

// Source: API Gateway quotas, "Length of the ARN of a method with authorization".
test('a path whose ARN is too long gets 414, if it needs credentials', async () => {
  const authorize = async () => ({ context: {}, usageKey: 'key' });
  const long = `/${'x'.repeat(1600)}`;
  expectProblem(await (await listening({ authorize }))('GET', long), 414, 'uri-too-long');
  expect((await (await listening({ authorize }))('GET', long.slice(0, 1500))).status).toBe(200);
  expect((await (await listening())('GET', long)).status).toBe(200);
});
