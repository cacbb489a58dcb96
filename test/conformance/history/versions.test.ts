import { describe, expect, test } from '@jest/globals';
import { formsOf, headingOf } from '../../support/client/page.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

// Specification 16.1 to 16.9
underTest();

/** A customer with three versions: `a`, then `b`, then with a note. */
async function changed(): Promise<string> {
  const { path } = await create('/customers', { name: 'a' });
  expect((await send('PUT', path, { json: { name: 'b' } })).status).toBe(200);
  const patch = { body: '{"note":"x"}', headers: MERGE_PATCH };
  expect((await send('PATCH', path, patch)).status).toBe(200);
  return path;
}

const entriesOf = async (path: string) =>
  (await get(`${path}/versions`)).json().items.map(({ version, change, time }) => ({
    version: Number(version),
    change: String(change),
    time: String(time),
  }));

const linksOf = (header: string | undefined): string[] => (header ?? '').split(/,\s*(?=<)/);

describe('the list of versions', () => {
  // Specification 16.3
  test('has the newest version first, with what changed', async () => {
    const path = await changed();
    const { status, json } = await get(`${path}/versions`);
    expect(status).toBe(200);
    const { items } = json();
    expect(items).toMatchObject([
      { version: 3, href: `${path}/versions/3`, change: 'updated', changed: ['note'] },
      { version: 2, href: `${path}/versions/2`, change: 'updated', changed: ['name'] },
      { version: 1, href: `${path}/versions/1`, change: 'created' },
    ]);
    for (const { time } of atLeastOne(await entriesOf(path))) expect(new Date(time).toISOString()).toBe(time);
  });

  test('continues at next, without a repeated entry', async () => {
    const path = await changed();
    expect((await send('DELETE', path)).status).toBe(204);
    const seen: number[] = [];
    for (let next: string | undefined = `${path}/versions?limit=1`; next; ) {
      const { items, links } = (await get(next)).json();
      seen.push(...items.map(({ version }) => Number(version)));
      next = links.find(({ rel }) => rel === 'next')?.href;
    }
    expect(seen).toEqual([4, 3, 2, 1]);
    // The versions after a page can expire before a client follows its next link.
    expect((await get(`${path}/versions?after=1`)).json().items).toEqual([]);
    expectProblem(await get('/customers/123/versions?after=1'), 404);
  });

  test('has the present name of the item on each page', async () => {
    const path = await changed();
    const headings = ['', '?after=3', '?after=2'].map(async (query) =>
      headingOf((await get(`${path}/versions${query}`, { Accept: 'text/html' })).text),
    );
    expect(new Set(await Promise.all(headings)).size).toBe(1);
  });

  // RFC 7089 §5
  test('is a TimeMap in application/link-format', async () => {
    const path = await changed();
    const { headers, text } = await get(`${path}/versions`, { Accept: 'application/link-format' });
    expect(headers['content-type']).toBe('application/link-format');
    expect(text).toContain(`<${path}>; rel="original timegate"`);
    expect(
      text.match(/rel="memento"; datetime="[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT"/g),
    ).toHaveLength(3);
  });

  test('gets no entry from a write that changes nothing', async () => {
    const { path } = await create('/customers', { name: 'a' });
    expect((await send('PUT', path, { json: { name: 'a' } })).status).toBe(200);
    expect((await get(`${path}/versions`)).json().items).toHaveLength(1);
  });

  test.each([
    ['limit=100', 100],
    ['limit=101', 100],
    ['limit=9007199254740991', 100],
    ['', 20],
  ])('with ?%s has at most %d entries', async (query, limit) => {
    expect((await get(`${await changed()}/versions?${query}`)).json().limit).toBe(limit);
  });

  test.each(['limit=x', 'after=-1', 'limit=1.5'])('refuses ?%s', async (query) => {
    expectProblem(await get(`${await changed()}/versions?${query}`), 400);
  });

  test('does not exist for an item that never existed', async () => {
    const missing = await get('/customers/123');
    expectProblem(missing, 404);
    expect(missing.headers.link ?? '').not.toContain('version-history');
    expectProblem(await get('/customers/123/versions'), 404);
  });
});

describe('a version', () => {
  // RFC 8246 §2
  test('with a related item can change, so no cache keeps it', async () => {
    const customer = await create('/customers', { name: 'a' });
    const { path } = await create(`${customer.path}/orders`, { productId: 1, orderValue: 1 });
    expect((await send('PUT', path, { json: { productId: 1, orderValue: 2 } })).status).toBe(200);
    const answer = await eventually(async () => {
      const found = await get(`${path}/versions/1?expand=customer`);
      expect(found.status).toBe(200);
      return found;
    });
    const { etag = '', 'cache-control': cache } = answer.headers;
    expect(cache).toBe('private, no-cache');
    const unchanged = await get(`${path}/versions/1?expand=customer`, { 'If-None-Match': etag });
    expect([unchanged.status, unchanged.headers['cache-control']]).toEqual([304, cache]);
  });

  // RFC 9110 §8.8.1; RFC 8246 §2: the next version adds the link next.
  test('is immutable after the next one, and then has another entity tag', async () => {
    const { path } = await create('/customers', { name: 'a' });
    const before = await get(`${path}/versions/1`);
    expect(before.headers['cache-control']).toBe('private, no-cache');
    expect((await send('PUT', path, { json: { name: 'b' } })).status).toBe(200);
    const after = await get(`${path}/versions/1`, { 'If-None-Match': before.headers.etag });
    expect(after.status).toBe(200);
    expect(after.json().links.map(({ rel }) => rel)).toContain('next');
    expect(after.headers['cache-control']).toBe('private, max-age=31536000, immutable');
  });

  // RFC 7089 §2.2; RFC 8246
  test('is the representation of its time', async () => {
    const path = await changed();
    const { status, headers, json } = await get(`${path}/versions/2`);
    expect(status).toBe(200);
    expect(json()).toMatchObject({ name: 'b' });
    expect(json().note).toBeUndefined();
    expect(headers['memento-datetime']).toMatch(/ GMT$/);
    expect(headers['cache-control']).toBe('private, max-age=31536000, immutable');
    const links = linksOf(headers.link);
    expect(links).toContain(`<${path}>; rel="original timegate"`);
    expect(links).toContain(`<${path}/versions>; rel="version-history timemap"`);
    expect(links.some((one) => one.startsWith(`<${path}/versions/1>; rel="prev memento"; datetime="`))).toBe(
      true,
    );
    expect(links.some((one) => one.startsWith(`<${path}/versions/3>; rel="next memento"; datetime="`))).toBe(
      true,
    );
  });

  test.each(['application/json', 'application/xml', 'text/html'])('has the format %s', async (type) => {
    const { status, headers, text } = await get(`${await changed()}/versions/1`, { Accept: type });
    expect([status, headers['content-type']?.split(';')[0]]).toEqual([200, type]);
    expect(text).toContain('a');
  });

  test('validates', async () => {
    const path = await changed();
    const { headers } = await get(`${path}/versions/1`);
    expect((await get(`${path}/versions/1`, { 'If-None-Match': headers.etag })).status).toBe(304);
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'POST'])('refuses %s', async (method) => {
    const answer = await send(method, `${await changed()}/versions/1`, { json: { name: 'x' } });
    expectProblem(answer, 405);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });

  test.each(['0', '4', 'x', '1e1', '99999999999999999'])('with the number %s is missing', async (number) => {
    expectProblem(await get(`${await changed()}/versions/${number}`), 404);
  });
});

describe('Accept-Datetime', () => {
  const now = () => new Date().toUTCString();

  // RFC 7089 §4.1
  test('leads to the version of that time', async () => {
    const path = await changed();
    const answer = await get(path, { 'Accept-Datetime': now() });
    expect([answer.status, answer.headers.location]).toEqual([302, `${path}/versions/3`]);
    expect(answer.headers.vary).toContain('Accept-Datetime');
    expect(linksOf(answer.headers.link)).toContain(`<${path}>; rel="original timegate"`);
  });

  test('keeps the selection of the query', async () => {
    const path = await changed();
    const { headers } = await get(`${path}?fields=name`, { 'Accept-Datetime': now() });
    expect(headers.location).toBe(`${path}/versions/3?fields=name`);
    expect(Object.keys((await get(headers.location as string)).json())).toEqual(['id', 'name']);
  });

  test('before the first version gets 404 with the link to the versions', async () => {
    const path = await changed();
    const answer = await get(path, { 'Accept-Datetime': 'Fri, 20 Nov 2020 10:00:00 GMT' });
    expectProblem(answer, 404);
    expect(answer.headers.link).toContain(`<${path}/versions>`);
  });

  test('that is not a date gets 400', async () => {
    expectProblem(await get(await changed(), { 'Accept-Datetime': 'yesterday' }), 400);
  });

  test('names its field in Vary of the item', async () => {
    const path = await changed();
    const { headers } = await get(path);
    expect(headers.vary).toContain('Accept-Datetime');
    expect(linksOf(headers.link)).toContain(`<${path}/versions>; rel="version-history timemap"`);
  });
});

describe('the restoration of a version', () => {
  // Specification 16.6
  test('gives the item the old values as a new version', async () => {
    const path = await changed();
    const { status, headers, json } = await send('POST', `${path}/versions/1/restore`);
    expect([status, headers['content-location']]).toEqual([200, path]);
    expect(json()).toMatchObject({ name: 'a' });
    expect(json().note).toBeUndefined();
    const { items } = (await get(`${path}/versions`)).json();
    expect(items[0]).toMatchObject({ version: 4, change: 'restored', changed: ['name', 'note'] });
  });

  test('evaluates If-Match', async () => {
    const path = await changed();
    const { headers } = await get(path);
    const restore = `${path}/versions/1/restore`;
    expectProblem(await send('POST', restore, { headers: { 'If-Match': '"1.2-json"' } }), 412);
    expect((await send('POST', restore, { headers: { 'If-Match': headers.etag } })).status).toBe(200);
  });

  test('has its effect once under an idempotency key', async () => {
    const path = await changed();
    const keyed = { headers: { 'Idempotency-Key': `"${unique('restore')}"` } };
    const first = await send('POST', `${path}/versions/1/restore`, keyed);
    expect((await send('POST', `${path}/versions/1/restore`, keyed)).text).toBe(first.text);
    expect((await entriesOf(path))[0]?.version).toBe(4);
  });

  test('holds the rules of several items', async () => {
    const sku = unique('SKU');
    const { path } = await create('/products', { name: 'p', sku });
    expect((await send('PUT', path, { json: { name: 'p' } })).status).toBe(200);
    await create('/products', { name: 'q', sku });
    expectProblem(await send('POST', `${path}/versions/1/restore`), 409);
  });

  test('makes no transition', async () => {
    const { path } = await create('/orders', { productId: 1, orderValue: 5 });
    expect((await send('POST', `${path}/pay`)).status).toBe(200);
    expectProblem(await send('POST', `${path}/versions/1/restore`), 409);
    expect((await get(path)).json().status).toBe('paid');
  });

  test('of a missing version gets 404', async () => {
    expectProblem(await send('POST', `${await changed()}/versions/9/restore`), 404);
  });
});

describe('a removed item', () => {
  // Specification 16.7
  test('leads to its versions', async () => {
    const path = await changed();
    expect((await send('DELETE', path)).status).toBe(204);
    const answer = await get(path);
    expectProblem(answer, 404);
    expect(answer.json().links).toEqual([
      { rel: 'version-history', href: `${path}/versions`, method: 'GET' },
    ]);
    const { items } = (await get(`${path}/versions`)).json();
    expect(items[0]).toMatchObject({ version: 4, change: 'removed' });
    expect((await get(`${path}/versions/3`)).json()).toMatchObject({ name: 'b', note: 'x' });
    expectProblem(await get(`${path}/versions/4`), 404);
  });

  test('exists again under its identifier', async () => {
    const path = await changed();
    const before = (await get(path)).json();
    await send('DELETE', path);
    const { status, headers, json } = await send('POST', `${path}/versions/3/restore`);
    expect([status, headers.location]).toEqual([201, path]);
    expect(json()).toEqual({ ...before, updatedAt: json().updatedAt });
    expect((await entriesOf(path)).map(({ version, change }) => [version, change])).toEqual([
      [5, 'restored'],
      [4, 'removed'],
      [3, 'updated'],
      [2, 'updated'],
      [1, 'created'],
    ]);
  });

  test('does not meet If-Match', async () => {
    const path = await changed();
    await send('DELETE', path);
    expectProblem(await send('POST', `${path}/versions/3/restore`, { headers: { 'If-Match': '*' } }), 412);
  });

  test('has its version also after a removal of the whole list', async () => {
    const { id, path } = await create('/customers', { name: unique('c') });
    const paths = await Promise.all(
      [1, 2, 3].map(async (orderValue) => {
        const answer = await send('POST', `${path}/orders`, { json: { productId: 1, orderValue } });
        return answer.headers.location as string;
      }),
    );
    expect((await send('DELETE', `${path}/orders`)).status).toBe(204);
    for (const one of paths) {
      expect((await get(`${one}/versions`)).json().items).toMatchObject([
        { version: 2, change: 'removed' },
        { version: 1, change: 'created' },
      ]);
      expect((await send('POST', `${one}/versions/1/restore`)).status).toBe(201);
      expect((await get(one)).json().customerId).toBe(id);
    }
  });

  test('shows no item of a racing writer: one of the removal and the change wins', async () => {
    const path = await changed();
    const [removal] = await Promise.all([
      send('DELETE', path),
      send('PUT', path, { json: { name: 'late' } }),
    ]);
    expect(removal.status).toBe(204);
    const entries = await entriesOf(path);
    expect(entries.map(({ version }) => version)).toEqual(entries.map((_, at) => entries.length - at));
    expect(entries[0]?.change).toBe('removed');
  });
});

describe('bytes of a version', () => {
  const photo = (text: string) => ({ body: text, headers: { 'Content-Type': 'image/png' } });

  // Specification 16.8
  test('come back with it', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await send('PUT', `${path}?fields=photo`, photo('one'))).status).toBe(201);
    expect((await send('PUT', `${path}?fields=photo`, photo('two'))).status).toBe(200);
    expect((await send('DELETE', `${path}?fields=photo`)).status).toBe(204);
    expect((await send('POST', `${path}/versions/2/restore`)).status).toBe(200);
    expect((await get(`${path}?fields=photo`)).text).toBe('one');
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await send('POST', `${path}/versions/3/restore`)).status).toBe(201);
    expect((await get(`${path}?fields=photo`)).text).toBe('two');
  });

  // Specification 16.4
  test('are at its address, for ever', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await send('PUT', `${path}?fields=photo`, photo('one'))).status).toBe(201);
    expect((await send('PUT', `${path}?fields=photo`, photo('two'))).status).toBe(200);
    const past = (await get(`${path}/versions/2`)).json();
    expect(past.photo).toMatchObject({ href: `${path}/versions/2?fields=photo`, size: 3 });
    const { status, text, headers } = await get(`${path}/versions/2?fields=photo`);
    expect({ status, text }).toEqual({ status: 200, text: 'one' });
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=31536000, immutable',
      'memento-datetime': new Date(String(past.updatedAt)).toUTCString(),
    });
    expect(headers.link).toContain(`<${path}/versions>; rel="version-history timemap"`);
    const range = { Range: 'bytes=0-0' };
    expect((await get(`${path}/versions/2?fields=photo`, range)).text).toBe('o');
    expectProblem(await get(`${path}/versions/1?fields=photo`), 404);
    expectProblem(await get(`${path}/versions/2?fields=photo,name`), 400);
    expectProblem(await send('PUT', `${path}/versions/2?fields=photo`, photo('x')), 405);
    expect((await send('DELETE', path)).status).toBe(204);
    expect((await get(`${path}/versions/2?fields=photo`)).text).toBe('one');
  });

  // RFC 7089 §2.1.2; Specification 16.5
  test.each(['photo', 'scan'])('are where Accept-Datetime leads from %s', async (name) => {
    const { path } = await create('/members', { name: 'a' });
    expect((await send('PUT', `${path}?fields=${name}`, photo('one'))).status).toBe(201);
    const { headers } = await get(`${path}?fields=${name}`);
    expect(headers.vary).toContain('Accept-Datetime');
    expect(headers.link).toContain(`<${path}>; rel="original timegate"`);
    const at = { 'Accept-Datetime': new Date().toUTCString() };
    const answer = await get(`${path}?fields=${name}`, at);
    expect([answer.status, answer.headers.location]).toEqual([302, `${path}/versions/2?fields=${name}`]);
  });

  test('of undeclared properties are there too', async () => {
    const { path } = await create('/members', { name: 'a' });
    expect((await send('PUT', `${path}?fields=scan`, photo('one'))).status).toBe(201);
    expect((await send('PUT', `${path}?fields=scan`, photo('two'))).status).toBe(200);
    expect((await get(`${path}/versions/2?fields=scan`)).text).toBe('one');
    expect((await get(`${path}/versions/2?fields=name`)).json().name).toBe('a');
  });
});

describe('pages', () => {
  const HTML = { Accept: 'text/html' };

  // Specification 16.9
  test('show the history, and two versions side by side', async () => {
    const path = await changed();
    expect((await get(path, HTML)).text).toContain(`<a href="${path}/versions">History</a>`);
    const history = (await get(`${path}/versions`, HTML)).text;
    expect(history).toContain(`action="${path}/versions/2/restore"`);
    expect(history).not.toContain(`action="${path}/versions/3/restore"`);
    const version = (await get(`${path}/versions/2`, HTML)).text;
    expect(version).toContain('<mark>b</mark></td><td data-label="Version before">a</td>');
  });

  test('offer to undo a removal', async () => {
    const path = await changed();
    const form = (await get(`${path}/delete`, HTML)).text;
    const tag = /name=":if-match" value="([^"]*)"/.exec(form)?.[1]?.replaceAll('&quot;', '"') ?? '';
    const headers = { ...HTML, 'Content-Type': 'application/x-www-form-urlencoded' };
    const deleted = await send('POST', `${path}/delete`, {
      headers,
      body: new URLSearchParams({ ':if-match': tag }).toString(),
    });
    expect(deleted.status).toBe(303);
    const list = (await get(deleted.headers.location as string, HTML)).text;
    const undo = formsOf(list).find(({ inputs }) => inputs.has(':row'));
    const body = new URLSearchParams([...(undo?.inputs ?? []), [':with', 'restore']]).toString();
    const undone = await send('POST', undo?.action ?? '', { headers, body });
    expect([undone.status, undone.headers.location]).toEqual([303, `${path}?%3Adone=restored`]);
    expect((await get(undone.headers.location as string, HTML)).text).toContain('The customer is restored.');
  });
});
