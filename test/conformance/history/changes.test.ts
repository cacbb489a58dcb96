import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest } from '../../support/service/under-test.ts';

// Specification 17.1 to 17.8
underTest();

interface Seen {
  readonly type: string;
  readonly subject: string;
  readonly sequence: string;
}

const WAIT = { Prefer: 'wait=10' };
const BATCH = 'application/cloudevents-batch+json';

const nextOf = (page: Pick<Answer, 'json'>): string =>
  page.json().links.find(({ rel }) => rel === 'next')?.href ?? '';

/** The list from now on. Other tests change other items at the same time. */
const fromNow = (query = ''): string => `/changes?since=${new Date().toISOString()}${query}`;

/** Follows the list until it has so many changes of these items, and one page more. */
async function followed(from: string, subjects: readonly string[], count: number): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (let path = from, isLast = false; !isLast; ) {
    isLast = seen.length >= count;
    const page = await get(path, isLast ? {} : WAIT);
    expect(page.status).toBe(200);
    const changes = page.json().items.map(({ type, subject, sequence }) => ({
      type: String(type),
      subject: String(subject),
      sequence: String(sequence),
    }));
    seen.push(...changes.filter(({ subject }) => subjects.includes(subject)));
    path = nextOf(page);
  }
  return seen;
}

/** A customer with an order that is paid, removed and restored. */
async function changed() {
  const { path: customer } = await create('/customers', { name: 'Harbour Books' });
  const { path: order } = await create(`${customer}/orders`, { productId: 1, quantity: 2 });
  expect((await send('POST', `${order}/pay`)).status).toBe(200);
  expect((await send('DELETE', order)).status).toBe(204);
  expect((await send('POST', `${order}/versions/2/restore`)).status).toBe(201);
  return { customer, order };
}

describe('the list of changes', () => {
  // Specification 17.1
  test('has the event of each change once, and those of one item in order', async () => {
    const from = fromNow();
    const { customer, order } = await changed();
    const seen = await followed(from, [customer, order], 5);
    expect(seen).toHaveLength(5);
    expect(seen.find(({ subject }) => subject === customer)?.type).toBe('customer.created');
    const ofOrder = seen.filter(({ subject }) => subject === order);
    expect(ofOrder.map(({ type }) => type)).toEqual([
      'order.created',
      'order.paid',
      'order.removed',
      'order.created',
    ]);
    expect(ofOrder.map(({ sequence }) => Number(sequence))).toEqual([1, 2, 3, 4]);
  });

  // Specification 17.2
  test('selects resources, types and a time', async () => {
    const from = fromNow();
    const { customer, order } = await changed();
    const both = [customer, order];
    const selected = async (query: string, count: number) =>
      (await followed(`${from}&${query}`, both, count)).map(({ type, subject }) => [type, subject]);
    expect(await selected('resource=customers', 1)).toEqual([['customer.created', customer]]);
    expect(await selected('type=order.removed', 1)).toEqual([['order.removed', order]]);
    expect(await selected('type=order.paid,customer.*', 2)).toEqual(
      expect.arrayContaining([
        ['order.paid', order],
        ['customer.created', customer],
      ]),
    );
    expect((await get('/changes?since=2999-01-01T00:00:00Z')).json().items).toEqual([]);
  });

  // Specification 17.3
  test('has at most so many changes on a page as limit says, and a next link on each', async () => {
    const from = fromNow('&limit=2');
    const { order } = await changed();
    expect(await followed(from, [order], 4)).toHaveLength(4);
    let page = await get(from);
    // A page ends after 2,000 changes that it drops. Here these are the ones of the minute before `since`.
    while (page.json().items.length === 0) page = await get(nextOf(page));
    expect(page.json()).toMatchObject({ items: [{}, {}], limit: 2 });
    expect(nextOf(page)).toMatch(/^\/changes\?since=[^&]+&limit=2&after=/);
  });

  // Specification 17.4; RFC 7240 §4.3
  test('waits for a change, and without one has the same next link', async () => {
    const from = nextOf(await get('/changes?since=2999-01-01T00:00:00Z'));
    const empty = await get(from, { Prefer: 'wait=1' });
    expect(empty.headers['preference-applied']).toBe('wait=1');
    const tag = { 'If-None-Match': String(empty.headers.etag) };
    for (const { headers } of [empty, await get(from, tag)]) expect(headers.vary).toContain('Prefer');
    expect([empty.json().items, nextOf(empty)]).toEqual([[], from]);
    expect((await get(from)).headers['preference-applied']).toBeUndefined();
    const later = fromNow('&type=customer.created');
    const wait = get(later, { Prefer: 'wait=86400' });
    let [page] = await Promise.all([wait, create('/customers', { name: 'late' })]);
    expect(page.headers['preference-applied']).toBe('wait=20');
    // A page ends early after many changes that it drops.
    while (page.json().items.length === 0) page = await get(nextOf(page), WAIT);
    expect(page.json().items[0]).toMatchObject({ type: 'customer.created' });
  });

  // CloudEvents JSON format 1.0.2 §4. lab/suites reads the list by the library of CloudEvents.
  test('is a batch of events with the required attributes', async () => {
    const from = fromNow('&type=customer.created');
    await create('/customers', { name: 'batch' });
    const events: Readonly<Record<string, unknown>>[] = [];
    for (let path = from; events.length === 0; ) {
      const page = await get(path, { ...WAIT, Accept: BATCH });
      expect(page.headers['content-type']).toBe(`${BATCH}; charset=utf-8`);
      expect(page.headers.link).toMatch(/^<\/changes\?[^>]+>; rel="next"$/);
      path = page.headers.link?.slice(1, page.headers.link.indexOf('>')) ?? '';
      events.push(...JSON.parse(page.text));
    }
    const [event] = events;
    expect(event).toMatchObject({
      specversion: '1.0',
      id: expect.stringMatching(/./),
      source: '/customers',
      type: 'customer.created',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { name: expect.any(String) },
    });
    // A name of an attribute has lower-case letters and digits alone.
    expect(Object.keys(event ?? {}).filter((name) => !/^[a-z0-9]{1,20}$/.test(name))).toEqual([]);
  });

  test('begins with the oldest change if since is before all times of the log', async () => {
    const early = await get('/changes?since=1960-01-01T00:00:00Z&limit=1');
    expect([early.status, early.json().items.length]).toEqual([200, 1]);
    expect((await get(nextOf(early))).status).toBe(200);
  });

  test('is XML and a page too', async () => {
    const xml = await get('/changes?limit=1', { Accept: 'application/xml' });
    expect(xml.text).toContain('<changes><items><item><specversion>1.0</specversion>');
    const html = await get('/changes?limit=1', { Accept: 'text/html' });
    expect([html.status, html.text.includes('<h1>Changes</h1>')]).toEqual([200, true]);
  });

  test.each([
    'resource=stars',
    'resource=files',
    'type=paid',
    'type=ORDER.PAID',
    'type=order.bogus',
    'type=order.paid,orders.*',
    'type=operation.*',
    'since=yesterday',
    'since=2026-02-30T00:00:00Z',
    'since=2026-11-27T24:00:00Z',
    'limit=0',
    'limit=x',
    'after=x',
    'after=orders.0-',
    'after=Bm9yZGVycwEAAAZhTIjAqACpn_oIZawDWB',
  ])('refuses ?%s', async (query) => {
    const answer = await get(`/changes?${query}`);
    expectProblem(answer, 400);
    expect(answer.json().errors).toMatchObject([{ parameter: query.split('=')[0] }]);
  });

  // Specification 4.21
  test('names the parameters that have no effect', async () => {
    const first = await get('/changes?limit=1&typ=order.paid&x=1');
    expect([first.status, first.json().ignored]).toEqual([200, ['typ', 'x']]);
    expect((await get('/changes?limit=1&type=*')).json()).not.toHaveProperty('ignored');
    const Prefer = 'handling=strict';
    expectProblem(await get('/changes?typ=order.paid', { Prefer }), 400, 'validation-error');
  });

  test('has no other method', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expectProblem(await send(method, '/changes', { json: {} }), 405);
    const head = await send('HEAD', '/changes');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

// Specification 17.2
test('a list since a time has a removal in the same second', async () => {
  const before = fromNow('&resource=customers');
  const { path } = await create('/customers', { name: 'Harbour Books' });
  // The list has a change from the time on at which it got it, too.
  await followed(before, [path], 1);
  await new Promise((later) => setTimeout(later, 5));
  const from = fromNow('&resource=customers');
  expect((await send('DELETE', path)).status).toBe(204);
  expect((await followed(from, [path], 1)).map(({ type }) => type)).toEqual(['customer.removed']);
});

// Specification 2.41
test('an object with a name that XML does not allow is JSON text in XML', async () => {
  const from = fromNow('&resource=customers');
  const { path } = await create('/customers', { name: 'Acme', sizes: [{ '<€ ': 1 }] });
  await followed(from, [path], 1);
  const { status, text } = await get(from, { Accept: 'application/xml' });
  expect(status).toBe(200);
  expect(text).toContain('type="json"');
});

// Specification 17.3; RFC 9110 §15.4.5
test.each(['', '&limit=2', '&type=customer.created'])(
  'a list that has not changed has the same link, so its own tag gets 304: %s',
  async (query) => {
    const from = fromNow();
    const { customer, order } = await changed();
    await followed(from, [customer, order], 5);
    for (const path of [`/changes?resource=orders,customers${query}`, fromNow(query)])
      for (const Accept of ['application/json', 'application/xml', BATCH]) {
        const first = await get(path, { Accept });
        expect(first.status).toBe(200);
        await new Promise((later) => setTimeout(later, 5));
        const tag = { 'If-None-Match': String(first.headers.etag) };
        expect([Accept, (await get(path, { Accept, ...tag })).status]).toEqual([Accept, 304]);
      }
  },
);

// Specification 17.7
test('a link of an earlier release leads on in its epoch only, if it names one', async () => {
  const from = fromNow('&resource=orders');
  const now = (Date.now() * 1000).toString(36);
  const earlier = (epoch: string) => [0, 1, 2, 3].map((at) => `orders.${at}-${now}${epoch}`).join('_');
  const { order } = await changed();
  await followed(from, [order], 4);
  const page = await get(`/changes?resource=orders&after=${earlier('')}`);
  expect(page.json().items.filter(({ subject }) => subject === order)).toHaveLength(4);
  // The present link shows no place.
  expect(nextOf(page)).toMatch(/^\/changes\?resource=orders&after=[\w-]+$/);
  expectProblem(await get(`/changes?resource=orders&after=${earlier('_e.00-0')}`), 410, 'gone');
});
