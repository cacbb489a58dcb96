import { beforeAll, describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Specification 4.30: totals that the service keeps.
 */
const send = withOpened('ruled');
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

const rowsOf = async (query: string) => (await send('GET', `/sales/totals?${query}`)).json();

/** Waits until the totals have these rows. */
const expectRows = (query: string, items: readonly object[]) =>
  eventually(async () => expect((await rowsOf(query)).items).toEqual(items));

beforeAll(async () => {
  const sale = (json: object) => send('POST', '/sales', { json });
  const made = [
    await sale({ region: 'north', day: '2026-01-01', value: 0.1, pieces: 2 }),
    await sale({ region: 'north', day: '2026-01-02', value: 0.2, isPaid: true }),
    await sale({ region: 'south', day: '2026-01-02', value: 123456789.5 }),
    await sale({ value: 7 }),
    await sale({ region: 'south', value: 1000 }),
  ];
  expect(made.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const [first, , , , last] = made.map(({ headers }) => headers.location as string);
  expect((await send('POST', `${first}/close`)).status).toBe(200);
  expect((await send('DELETE', `${last}`)).status).toBe(204);
  await send('PATCH', `${first}`, { headers: MERGE, json: { value: 0.3 } });
});

describe('kept totals', () => {
  test('follow each change, exactly, and say as of when', async () => {
    await expectRows('by=status,region&sum=value,pieces', [
      { status: 'closed', region: 'north', count: 1, sum: { value: 0.3, pieces: 2 } },
      { status: 'open', region: 'north', count: 1, sum: { value: 0.2, pieces: 0 } },
      { status: 'open', region: 'south', count: 1, sum: { value: 123456789.5, pieces: 0 } },
      { status: 'open', count: 1, sum: { value: 7, pieces: 0 } },
    ]);
    const { asOf } = await rowsOf('by=status');
    expect(Math.abs(Date.now() - Date.parse(String(asOf)))).toBeLessThan(60_000);
  });

  test.each([
    ['no field', 'sum=value', [{ count: 4, sum: { value: 123456797 } }]],
    [
      'some of its fields',
      'by=region',
      [{ region: 'north', count: 2 }, { region: 'south', count: 1 }, { count: 1 }],
    ],
    [
      'a filter',
      'by=status&region=north',
      [
        { status: 'closed', count: 1 },
        { status: 'open', count: 1 },
      ],
    ],
    ['several values', 'region=north,south&sum=pieces', [{ count: 3, sum: { pieces: 2 } }]],
    ['a filter that no item meets', 'region=south&status=closed', [{ count: 0 }]],
    ['a range of days', 'by=day&day.gte=2026-01-02', [{ day: '2026-01-02', count: 2 }]],
  ])('answer a request with %s', async (_, query, items) => {
    await expectRows(query, items);
    expect(await rowsOf(query)).toHaveProperty('asOf');
  });

  test.each([
    ['extremes', 'by=status&max=value', { status: 'closed', count: 1, max: { value: 0.3 } }],
    ['another field', 'by=isPaid', { isPaid: true, count: 1 }],
    ['fields of two of them', 'by=region&day=2026-01-01', { region: 'north', count: 1 }],
    ['another filter', 'by=region&value.lt=0.3', { region: 'north', count: 1 }],
  ])('leave %s to reading', async (_, query, first) => {
    const answer = await rowsOf(query);
    expect(answer.items[0]).toEqual(first);
    expect(answer).not.toHaveProperty('asOf');
  });

  test('are CSV, XML and a page, with an entity tag that follows the changes', async () => {
    const path = '/sales/totals?by=region&region=north';
    const csv = await send('GET', path, { headers: { Accept: 'text/csv' } });
    expect(csv.text).toBe('region,count\r\nnorth,2\r\n');
    const xml = await send('GET', path, { headers: { Accept: 'application/xml' } });
    expect(xml.text).toMatch(/<asOf>20[^<]*Z<\/asOf>/);
    const page = await send('GET', path, { headers: { Accept: 'text/html' } });
    expect([page.status, page.text.includes('north')]).toEqual([200, true]);
    const { headers } = await send('GET', path);
    const again = await send('GET', path, { headers: { 'If-None-Match': headers.etag as string } });
    expect(again.status).toBe(304);
    expectProblem(await send('GET', '/sales/totals?by=name'), 400, 'validation-error');
  });
});
