import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { itemsOf, linkOf, walk } from '../../support/client/walk.ts';
import { get, send, underTest } from '../../support/service/under-test.ts';

underTest();

/** Products of 250 KB each, 25 MB in all: more than a request skips or counts. */
const COUNT = 99;
const path = '/products';
/** The newest first, because a service can have other products. */
const list = `${path}?sort=-id`;

beforeAll(async () => {
  const product = { name: 'large', more: 'x'.repeat(250_000) };
  for (let at = 0; at < COUNT; at += 3)
    expect((await send('POST', path, { json: [product, product, product] })).status).toBe(201);
}, 120_000);

/** DynamoDB's read units, as the service reports them. */
const unitsOf = ({ headers }: Answer): number =>
  Number(/read-units;desc="([\d.]+)"/.exec(headers['server-timing'] ?? '')?.[1]);
/** What one request takes at most. */
const MOST = 2_500;

describe('a list of large items', () => {
  test('has no total if the service stops counting after 20 MB', async () => {
    const answer = await get(`${path}?limit=0`, { Prefer: 'count=exact, server-timing' });
    expect(answer.status).toBe(200);
    expect(answer.json()).not.toHaveProperty('total');
    expect(answer.headers['preference-applied']).not.toContain('count=exact');
    expect(unitsOf(answer)).toBeLessThan(MOST);
  });

  test('gets 400 with a link to the next page for an offset beyond 20 MB', async () => {
    const answer = await get(`${list}&limit=1&offset=${COUNT - 1}`, { Prefer: 'server-timing' });
    expectProblem(answer, 400, 'validation-error');
    expect(unitsOf(answer)).toBeLessThan(MOST);
    const next = linkOf(answer.json(), 'next') as string;
    const page = await get(next);
    expect(page.status).toBe(200);
    const { offset, items } = page.json();
    const all = itemsOf(await walk(`${list}&limit=1000&fields=name`));
    expect(items[0]?.id).toBe(all[offset]?.id);
  });
});
