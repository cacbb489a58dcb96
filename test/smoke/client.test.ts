import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { exchange } from '../../tools/smoke/client.ts';

// AWS WAF Developer Guide, "Core rule set": NoUserAgent_HEADER.
test('a request of the smoke test names its program, and follows no redirect', async () => {
  const server = createServer(({ method, url, headers }, response) => {
    const seen = JSON.stringify({ method, url, agent: headers['user-agent'], type: headers['content-type'] });
    response.writeHead(307, { Location: '/b', Link: ['<c>', '<d>'] }).end(seen);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { status, headers, json } = await exchange('PUT', `http://127.0.0.1:${port}/a?x=%20`, { json: {} });
  server.close();
  expect(status).toBe(307);
  expect(headers).toMatchObject({ location: '/b', link: '<c>, <d>' });
  expect(json()).toEqual({
    method: 'PUT',
    url: '/a?x=%20',
    agent: 'resource-api-smoke',
    type: 'application/json',
  });
});
