import { describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { customerWith, itemsOf, linkOf, walk } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('a walk along next and prev', () => {
  // Specification 4.5
  test.each([
    '',
    '&sort=quantity',
    '&sort=-quantity',
    '&sort=-orderId',
    '&sort=orderValue',
    '&minCost=2',
    '&minCost=2&sort=-quantity',
  ])('shows every item once, also backwards: limit=3%s', async (query) => {
    const { path } = await customerWith(
      Array.from({ length: 11 }, (_, at) => ({ quantity: 1 + (at % 3), orderValue: at / 2 })),
    );
    const whole = (await get(`${path}?limit=1000${query}`)).json().items.map(({ orderId }) => orderId);
    const pages = await walk(`${path}?limit=3${query}`);
    expect(itemsOf(pages).map(({ orderId }) => orderId)).toEqual(whole);
    for (const [at, page] of atLeastOne(pages.entries())) expect(page.offset).toBe(at * 3);
    const back = await walk(await lastOf(`${path}?limit=3${query}`), 'prev');
    expect(itemsOf([...back].reverse()).map(({ orderId }) => orderId)).toEqual(whole);
    expect(linkOf(pages[0] as Body, 'prev')).toBeUndefined();
  });

  // Specification 4.26
  test.each(['', '&sort=-quantity', '&minCost=2'])(
    'has the same items in the same order in every representation: limit=2%s',
    async (query) => {
      const { path, ids } = await customerWith(
        Array.from({ length: 5 }, (_, at) => ({ quantity: 5 - (at % 2), orderValue: 5 - at / 2 })),
      );
      const pages = await walk(`${path}?limit=2${query}`);
      expect(itemsOf(pages)).toHaveLength(5);
      let at: string | undefined = `${path}?limit=2${query}`;
      for (const page of atLeastOne(pages)) {
        for (const Accept of ['text/html', 'application/xml', 'text/csv', 'application/jsonl']) {
          const { status, text } = await get(at ?? '', { Accept });
          expect([Accept, status]).toEqual([Accept, 200]);
          const shown = ids.filter((id) => text.includes(String(id)));
          const placed = shown.sort((one, other) => text.indexOf(String(one)) - text.indexOf(String(other)));
          expect([Accept, placed]).toEqual([Accept, page.items.map(({ orderId }) => orderId)]);
        }
        at = linkOf(page, 'next');
      }
    },
  );

  async function lastOf(path: string): Promise<string> {
    let at = path;
    for (;;) {
      const next = linkOf((await get(at)).json(), 'next');
      if (next === undefined) return at;
      at = next;
    }
  }

  test.each(['', '&sort=quantity', '&sort=-quantity', '&sort=orderValue'])(
    'shows every item once while clients insert and delete others: limit=2%s',
    async (query) => {
      const { path, ids } = await customerWith(
        Array.from({ length: 12 }, (_, at) => ({ quantity: 10 + (at % 4), orderValue: 5 + (at % 2) })),
      );
      const order = (await get(`${path}?limit=1000${query}`)).json().items.map(({ orderId }) => orderId);
      // Items that the walk has shown, its position, the next item and later items.
      const victims = [[order[1], order[2]], [order[5], order[6]], [order[11]]];
      const pages = await walk(`${path}?limit=2${query}`, 'next', async (page) => {
        for (const victim of victims[page - 1] ?? []) await send('DELETE', `/orders/${victim}`);
        // Insert before, at and after the position of the walk. The loop has an end, so the walk has one too.
        if (page > 4) return;
        for (const value of [1, 5, 11, 99])
          await create(path, { productId: 1, orderValue: value, quantity: value });
      });
      const seen = itemsOf(pages).map(({ orderId }) => orderId);
      expect(seen.length - new Set(seen).size).toBe(0);
      const gone = victims.flat();
      expect(ids.filter((id) => !gone.includes(id) && !seen.includes(id))).toEqual([]);
    },
  );

  test('loses nothing if a client deletes the item at the cursor', async () => {
    const { path } = await customerWith(Array.from({ length: 6 }, (_, at) => ({ quantity: at + 1 })));
    for (const query of ['', '&sort=-quantity']) {
      const first = (await get(`${path}?limit=2${query}`)).json();
      const rest = (await get(`${path}?limit=1000${query}`)).json().items.slice(2);
      await send('DELETE', `/orders/${first.items[1]?.orderId}`);
      const after = itemsOf(await walk(linkOf(first, 'next') as string));
      expect(after.map(({ orderId }) => orderId)).toEqual(rest.map(({ orderId }) => orderId));
    }
  });

  test('ends at the first item on the way back if clients have deleted items before it', async () => {
    const { path, ids } = await customerWith(Array.from({ length: 9 }, () => ({})));
    const last = await lastOf(`${path}?limit=3`);
    for (const id of ids.slice(0, 4)) await send('DELETE', `/orders/${id}`);
    const back = itemsOf((await walk(last, 'prev')).reverse()).map(({ orderId }) => orderId);
    expect(back).toEqual(ids.slice(4));
  });

  test('keeps limit, sort, minCost and fields', async () => {
    const { path } = await customerWith([
      { orderValue: 5 },
      { orderValue: 1 },
      { orderValue: 7 },
      { orderValue: 6 },
    ]);
    const pages = await walk(`${path}?limit=1&sort=-orderValue&minCost=5&fields=orderValue`);
    expect(itemsOf(pages).map(({ orderValue }) => orderValue)).toEqual([7, 6, 5]);
    for (const { limit, items } of atLeastOne(pages)) {
      expect(limit).toBe(1);
      for (const item of atLeastOne(items))
        expect(Object.keys(item).sort()).toEqual(['orderId', 'orderValue']);
    }
  });

  // Specification 4.2
  test('continues after a page that ends early at 4 MB', async () => {
    const tag = unique('large');
    const made: number[] = [];
    for (let at = 0; at < 20; at += 1) {
      made.push((await create('/members', { tag, open: 'x'.repeat(240_000) })).id);
    }
    const pages: Body[] = [];
    for (let at: string | undefined = '/members?limit=1000&sort=-id'; at !== undefined; ) {
      const answer = await get(at);
      expect(answer.status).toBe(200);
      expect(answer.bytes.length).toBeLessThan(4.5 * 1024 * 1024);
      pages.push(answer.json());
      at = linkOf(answer.json(), 'next');
    }
    const seen = itemsOf(pages).filter((item) => item.tag === tag);
    expect(seen.map(({ id }) => id).sort((a, b) => a - b)).toEqual(made);
    for (const [at, { offset }] of atLeastOne(pages.entries())) {
      expect(offset).toBe(itemsOf(pages.slice(0, at)).length);
    }
    for (const { id } of seen) await send('DELETE', `/members/${id}`);
  });

  test('returns from any offset to the beginning without repetition', async () => {
    const { path } = await customerWith(Array.from({ length: 7 }, (_, at) => ({ quantity: at + 1 })));
    for (const offset of [1, 2, 4, 6, 7]) {
      const back = await walk(`${path}?limit=3&offset=${offset}`, 'prev');
      const seen = itemsOf([...back].reverse()).map(({ quantity }) => quantity);
      // Beyond the end, a way back is optional.
      if (offset < 7)
        expect(seen).toEqual(Array.from({ length: Math.min(offset + 3, 7) }, (_, at) => at + 1));
      else expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test('never leads from an empty page to itself', async () => {
    const { path } = await customerWith([{}, {}]);
    expect(linkOf((await get(`${path}?limit=0`)).json(), 'next')).toBeUndefined();
    const inside = (await get(`${path}?limit=0&offset=1`)).json();
    for (const rel of ['next', 'prev']) expect(linkOf(inside, rel)).toBeUndefined();
  });

  // Specification 4.5
  test('gets 400 for a changed cursor', async () => {
    const { path } = await customerWith([{}, {}, {}]);
    const next = linkOf((await get(`${path}?limit=1`)).json(), 'next') as string;
    const url = new URL(next, 'http://localhost');
    const after = url.searchParams.get('after') as string;
    expect(after).toBeTruthy();
    const tampered = [
      '',
      'x',
      `${after}x`,
      after.slice(1),
      after.slice(0, -1),
      Buffer.from('{"id":1}').toString('base64url'),
      'A'.repeat(5000),
      '%00',
      `${after.slice(0, 3)}${after[3] === 'A' ? 'B' : 'A'}${after.slice(4)}`,
    ];
    for (const value of tampered) {
      const answer = await get(`${path}?limit=1&after=${encodeURIComponent(value)}`);
      expect({ value, status: answer.status }).toEqual({ value, status: 400 });
      expectProblem(answer, 400, 'validation-error');
    }
  });

  // A cursor of another list, order or filter gets 400, or at least no item outside this list.
  test('takes no item of another list from a cursor', async () => {
    const [one, two] = [await customerWith([{}, {}]), await customerWith([{}, {}, {}])];
    const next = linkOf((await get(`${one.path}?limit=1`)).json(), 'next') as string;
    const query = next.slice(next.indexOf('?'));
    expectProblem(await get(`${two.path}${query}`), 400, 'validation-error');
    expectProblem(await get(`/members${query}`), 400, 'validation-error');
    expectProblem(await get(`${one.path}${query}&sort=-quantity`), 400, 'validation-error');
  });
});
