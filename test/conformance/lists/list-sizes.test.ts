import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { create, get, send, underTestAlone, unique } from '../../support/service/under-test.ts';

underTestAlone();

/** Characters that are longer in one of the formats. Those of the same format are neighbors. */
const AWKWARD = ['\\', '\n', '\t', '\r', '"', '&', '<', '>', "'", 'é', '😀', 'x'];
const OF_EACH = 10;
const LETTERS = 10_000;
/** Products whose four texts have 10,000 characters each. A request creates 10 of them. */
const fill = async (character: string): Promise<number[]> => {
  const text = character.repeat(LETTERS / character.length);
  const product = { name: text, category: text, color: text, size: text };
  const ids: number[] = [];
  for (let at = 0; at < OF_EACH; at += 10) {
    const answer = await send('POST', '/products', { json: Array.from({ length: 10 }, () => product) });
    expect(answer.status).toBe(201);
    ids.push(...answer.json().items.map(({ id }) => id));
  }
  return ids;
};

const nextOf = ({ headers }: Answer): string | undefined =>
  /<([^>]*)>; rel="?next/.exec(headers.link ?? '')?.[1];
const prevOf = ({ headers }: Answer): string | undefined =>
  /<([^>]*)>; rel="?prev/.exec(headers.link ?? '')?.[1];

const SHOWN: Readonly<Record<string, RegExp>> = {
  'application/json': /"id":(\d+)/g,
  'application/xml': /<id>(\d+)<\/id>/g,
  'text/html': /<th><input [^>]*><a href=\/products\/(\d+)>/g,
};
const shown = ({ text }: Answer, type: string): number[] =>
  [...text.matchAll(SHOWN[type] as RegExp)].map(([, id]) => Number(id));

const size = async (): Promise<number> =>
  Number((await get('/products?limit=0', { Prefer: 'count=exact' })).json().total);

describe('a list of items with awkward characters', () => {
  test('fills every page in every format, in both directions, and loses no item', async () => {
    const ids: number[] = [];
    for (const character of AWKWARD) ids.push(...(await fill(character)));
    for (const type of Object.keys(SHOWN)) {
      const seen: number[] = [];
      let last = '';
      for (let at: string | undefined = '/products?limit=1000'; at !== undefined; ) {
        const page: Answer = await get(at, { Accept: type });
        expect({ type, at, status: page.status }).toEqual({ type, at, status: 200 });
        seen.push(...shown(page, type).filter((id) => ids.includes(id)));
        last = at;
        at = nextOf(page);
      }
      expect({ type, length: seen.length }).toEqual({ type, length: ids.length });
      expect(seen).toEqual([...ids].sort((a, b) => a - b));
      const back: number[] = [];
      for (let at: string | undefined = last; at !== undefined; ) {
        const page: Answer = await get(at, { Accept: type });
        expect({ type, at, status: page.status }).toEqual({ type, at, status: 200 });
        back.unshift(...shown(page, type).filter((id) => ids.includes(id)));
        at = prevOf(page);
      }
      expect(back).toEqual(seen);
    }
  }, 120_000);

  // Specification 4.2
  test.each(['application/json', 'application/xml'])(
    'is complete for a client that adds the limit of each page in %s to the offset',
    async (Accept) => {
      const whole: number[] = [];
      for (let offset = 0, pages = 0; ; pages += 1) {
        const page = await get(`/products?limit=90&offset=${offset}`, { Accept });
        const ids = shown(page, Accept);
        whole.push(...ids);
        const limit = Number(/(?:"limit":|limit=")(\d+)/.exec(page.text)?.[1]);
        if (nextOf(page) === undefined) {
          expect({ pages, limit }).toEqual({ pages: expect.any(Number), limit: 90 });
          expect(pages).toBeGreaterThan(1);
          break;
        }
        expect(limit).toBe(ids.length);
        expect(limit).toBeLessThan(90);
        offset += limit;
      }
      expect(whole).toHaveLength(await size());
      expect(new Set(whole).size).toBe(whole.length);
    },
    60_000,
  );

  // Specification 4.2
  test('has one page of the properties that a client selects, if these are small', async () => {
    const page = await get('/products?limit=1000&fields=id');
    expect([page.json().items.length, page.json().limit, nextOf(page)]).toEqual([
      await size(),
      1000,
      undefined,
    ]);
  });

  test('has an ETag of its content if a page ends early', async () => {
    const first = await get('/products?limit=1000');
    expect(first.json().items.length).toBeLessThan(1000);
    expect(nextOf(first)).toBeDefined();
    const again = await get('/products?limit=1000', { 'If-None-Match': first.headers.etag });
    expect(again.status).toBe(304);
  });
});

describe('a list of files with long names', () => {
  test('fills every page in every format and loses no file', async () => {
    const COUNT = 700;
    const parts = Array.from({ length: COUNT }, (_, at) => {
      const name = `${"'".repeat(240)}${at}`;
      return `--b\r\nContent-Disposition: form-data; name="f"; filename="${name}"\r\n\r\n\r\n`;
    });
    const stored = await send('POST', '/files', {
      body: `${parts.join('')}--b--\r\n`,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b', Accept: 'text/html' },
    });
    expect([201, 303]).toContain(stored.status);
    for (const [type, row] of [
      ['application/json', /"filename":/g],
      ['application/xml', /<filename>/g],
      ['text/html', /<th>/g],
    ] as const) {
      let files = 0;
      for (let at: string | undefined = '/files?limit=1000'; at !== undefined; ) {
        const page: Answer = await get(at, { Accept: type });
        expect({ type, status: page.status }).toEqual({ type, status: 200 });
        files += page.text.match(row)?.length ?? 0;
        at = nextOf(page);
      }
      expect({ type, files: files >= COUNT }).toEqual({ type, files: true });
    }
  }, 60_000);
});

describe('the products of an order', () => {
  test.each(["'", '&', '\\'])(
    'are available in every format if the product is full of %j',
    async (character) => {
      const bytes = Buffer.byteLength(JSON.stringify(character)) - 2;
      const text = character.repeat(10_000);
      const more = character.repeat(Math.floor(210_000 / bytes));
      const product = await create('/products', { name: text, more });
      const order = await create('/orders', { productId: product.id, orderValue: 1 });
      for (const Accept of ['application/json', 'application/xml', 'text/html'])
        expect((await get(`${order.path}/products`, { Accept })).status).toBe(200);
    },
  );
});

describe('the creation of several items', () => {
  test.each([
    ['application/xml', '&'],
    ['text/html', "'"],
    ['application/json', '\\'],
  ])('gets its response in %s if each item is full of %s', async (type, character) => {
    const text = character.repeat(Math.floor(240_000 / (Buffer.byteLength(JSON.stringify(character)) - 2)));
    const item = { name: character.repeat(2000), more: text };
    const answer = await send('POST', '/members', {
      json: Array.from({ length: 4 }, () => item),
      headers: { Accept: type },
    });
    expect([201, 303]).toContain(answer.status);
    if (type === 'application/xml') expect(answer.text.match(/<id>\d+<\/id>/g)).toHaveLength(4);
  });
});

/** A name of three letters for a number below 140,608. */
const threeLetters = (number: number): string =>
  [1, 52, 2704].map((power) => LETTER[Math.floor(number / power) % 52]).join('');
const LETTER = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

describe('an item of the largest size', () => {
  test.each(['\\', '\n', '"', '&', '<', "'", 'é'])(
    'full of %j is available in every format',
    async (character) => {
      const bytes = Buffer.byteLength(JSON.stringify(character)) - 2;
      const member = await create('/members', {
        name: unique('large'),
        more: character.repeat(Math.floor(260_000 / bytes)),
      });
      for (const Accept of ['application/json', 'application/xml', 'text/html'])
        expect((await get(member.path, { Accept })).status).toBe(200);
      expect((await get(`${member.path}/edit`, { Accept: 'text/html' })).status).toBe(200);
    },
  );

  test.each([
    ['texts', '""'],
    ['numbers', '1'],
    ['objects', '{"a":""}'],
  ])('with very many properties that are %s is available in every format', async (_, value) => {
    const count = Math.floor(250_000 / (value.length + 7));
    const names = Array.from({ length: count }, (_one, at) => threeLetters(at)).filter(
      (name) => name.toLowerCase() !== 'age',
    );
    const body = `{${names.map((name) => `"${name}":${value}`).join(',')}}`;
    const created = await send('POST', '/members', { body, headers: { 'Content-Type': 'application/json' } });
    expect(created.status).toBe(201);
    const path = created.headers.location as string;
    for (const Accept of ['application/json', 'application/xml', 'text/html'])
      expect((await get(path, { Accept })).status).toBe(200);
    for (const form of ['edit', 'delete']) {
      const page = await get(`${path}/${form}`, { Accept: 'text/html' });
      expect(page.status).toBe(200);
    }
    const refused = await send('POST', path, {
      body: 'email=bad',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
    });
    expect(refused.status).toBe(400);
  });

  test.each([
    ['numbers', '1,'],
    ['empty texts', '"",'],
    ['empty objects', '{},'],
    ['objects', '{"a":1},'],
    ['empty arrays', '[],'],
  ])('with an array of %s is available in every format', async (_, element) => {
    const array = element.repeat(Math.floor(260_000 / element.length)).slice(0, -1);
    const answer = await send('POST', '/members', {
      body: `{"more":[${array}]}`,
      headers: { 'Content-Type': 'application/json', Accept: 'application/xml' },
    });
    expect(answer.status).toBe(201);
    for (const Accept of ['application/json', 'application/xml', 'text/html'])
      expect((await get(answer.headers.location as string, { Accept })).status).toBe(200);
  });
});
