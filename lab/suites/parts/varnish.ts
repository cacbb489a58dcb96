import assert from 'node:assert/strict';
import { setTimeout as after } from 'node:timers/promises';
import type { Answer, Client } from '../../../test/support/client/client.ts';
import type { Check } from '../../checks.ts';
import type { Given, Part } from '../part.ts';
import { conformance } from '../varnish/conformance.ts';
import { varnish } from '../varnish/varnish.ts';

const FORMATS = ['application/json', 'application/xml', 'text/html'];

/** Checks the service behind a shared cache, which stores some responses and must not store or mix up others. */
export const part: Part = {
  about: 'behind a shared cache',
  needs: ['varnishd'],
  run: async ({ service, check }) => {
    const cache = await varnish(service);
    try {
      await kept(cache.client, check);
      await negotiated(cache.client, check);
      await revalidated(cache.client, check);
      await fresh(cache.client, { service, check });
      await conformance(cache.url, check);
    } finally {
      await cache.stop();
    }
  },
};

const read = (client: Client, path: string, headers = {}): Promise<Answer> =>
  client('GET', path, { headers: { ...headers, 'X-Tell': 'yes' } });

/** Checks that the cache stores public responses. */
async function kept(client: Client, check: Check): Promise<void> {
  for (const path of [
    '/add?operand1=0.1&operand2=0.2',
    '/problems/conflict',
    '/assets/pages.css',
    '/openapi.json',
  ]) {
    await check(`the cache stores ${path}`, async () => {
      const first = await read(client, path);
      const second = await read(client, path);
      assert.deepEqual([first.headers['x-cache'], second.headers['x-cache']], ['miss', 'hit']);
      assert.equal(second.text, first.text);
    });
  }
}

/** Checks that the cache stores JSON, XML and HTML of one resource separately. */
async function negotiated(client: Client, check: Check): Promise<void> {
  await check('each client gets a format that it accepts', async () => {
    for (const cached of ['miss', 'hit']) {
      for (const Accept of FORMATS) {
        const { headers } = await read(client, '/problems/not-acceptable', { Accept });
        assert.equal(headers['content-type']?.split(';')[0], Accept);
        assert.equal(headers['x-cache'], cached, Accept);
      }
    }
  });
}

/** Checks that the cache revalidates stale responses, and that a client revalidates its copy at the cache. */
async function revalidated(client: Client, check: Check): Promise<void> {
  const path = '/problems/timeout';
  await check('the cache revalidates a stale response', async () => {
    const stale = { 'X-Stale-At-Once': 'yes' };
    const first = await read(client, path, stale);
    await after(20);
    const second = await read(client, path, stale);
    assert.deepEqual([first.headers['x-revalidated'], second.headers['x-revalidated']], ['false', 'true']);
    assert.equal(second.text, first.text);
  });

  await check('a client revalidates a stored response', async () => {
    const { headers } = await read(client, path);
    const answer = await read(client, path, { 'If-None-Match': headers.etag });
    assert.deepEqual([answer.status, answer.headers.etag], [304, headers.etag]);
  });
}

/** Checks that private or changing responses never come from the cache. */
async function fresh(client: Client, { service, check }: Given): Promise<void> {
  const member = await service.create('/members', { name: 'a' });
  const change = (name: string) =>
    service.client('PATCH', member, {
      json: { name },
      headers: { 'Content-Type': 'application/merge-patch+json' },
    });
  const pages = [member, `${member}?fields=name`, '/members', '/members?limit=1&sort=name'];
  for (const path of pages) {
    for (const Accept of FORMATS) {
      await check(`${path.replace(/\d{6,}/, '…')} as ${Accept} is never old`, async () => {
        await read(client, path, { Accept });
        const name = `changed to ${Accept} of ${path.length}`;
        await change(name);
        const { text, headers } = await read(client, path, { Accept });
        assert.equal(headers['x-cache'], 'miss');
        assert.ok(text.includes(name), text);
      });
    }
  }

  await check('a file is never old', async () => {
    for (const body of ['one', 'two']) {
      await service.client('PUT', '/files/text', { body });
      assert.equal((await read(client, '/files/text')).text, body);
    }
  });

  await check('a deleted item is missing at once', async () => {
    await read(client, member);
    await service.client('DELETE', member);
    assert.equal((await read(client, member)).status, 404);
  });

  await check('a new item is there at once, also after a 404', async () => {
    assert.equal((await read(client, '/files/later')).status, 404);
    await service.client('PUT', '/files/later', { body: 'x' });
    assert.equal((await read(client, '/files/later')).status, 200);
  });
}
