import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { serverOf } from '../../../local/gateway/server.ts';

/** Blocks the process until the next second begins, as heavy load does. */
function untilNextSecond(): string {
  const second = Math.floor(Date.now() / 1000);
  while (Math.floor(Date.now() / 1000) === second);
  return new Date().toUTCString();
}

// RFC 9110 §6.6.1, §8.8.2.1: no Last-Modified is later than the Date of its response.
test('Date is the time of the response, also if the process was busy', async () => {
  const server = serverOf(async () => ({
    status: 200,
    headers: [['Last-Modified', untilNextSecond()]],
    body: '',
  }));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    // Node keeps the date of the first response for a second.
    for (const path of ['/first', '/second']) {
      const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
      const [date, modified] = [headers.get('date'), headers.get('last-modified')].map((one) =>
        Date.parse(String(one)),
      );
      expect(date).toBeGreaterThanOrEqual(Number(modified));
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
