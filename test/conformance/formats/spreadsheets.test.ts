import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { BROWSER } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { withOpened } from '../../support/service/opened.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/* Files of CSV that people make. Source: Specification 2.53, 2.55; RFC 4180. */
underTest();

const FOLDER = join(import.meta.dirname, '../../fixtures/spreadsheets');

const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
  send('POST', path, { body, headers: { 'Content-Type': 'text/csv', ...headers } });
const detailOf = ({ json }: Pick<Answer, 'json'>) => json().errors[0]?.detail;

const MUG = { name: 'Mug', price: 14.5, category: 'home' };
const TEA = { name: 'Tea, green', price: 3 };

describe('a file that a spreadsheet saved', () => {
  test.each([
    [
      'excel-utf8.csv',
      [
        { name: 'Café au lait', price: 4.5, category: 'drink' },
        { name: 'Mug, "blue"', price: 14.5 },
      ],
    ],
    [
      'excel-macintosh.csv',
      [
        { name: 'Mug', price: 14.5 },
        { ...TEA, category: 'drink' },
      ],
    ],
    ['excel-sep.csv', [MUG]],
    ['libreoffice.csv', [MUG, { ...TEA, category: 'a\nb' }]],
    ['google-sheets.csv', [MUG, TEA]],
    ['numbers.csv', [MUG]],
    ['dos-editor.csv', [MUG]],
  ])('%s gives its items', async (file, items) => {
    const answer = await post('/products', readFileSync(join(FOLDER, file)));
    expect(answer.status).toBe(201);
    expect(answer.json().items.map(({ id, createdAt, updatedAt, links, ...values }) => values)).toEqual(
      items,
    );
  });

  test.each([
    ['excel-german.csv', 'Line 1: separate cells by commas, not by semicolons'],
    ['excel-tabs.txt', 'Line 1: separate cells by commas, not by tabs'],
  ])('%s gets 400 with the line', async (file, detail) => {
    const answer = await post('/products', readFileSync(join(FOLDER, file)));
    expectProblem(answer, 400, 'malformed-body');
    expect(detailOf(answer)).toBe(detail);
  });

  test.each([
    ['name,,\nx,,y\n', /Line 1: a column has no name/],
    ['name,a\nx,1\ny,2,3\n', /Line 3: the row has 3 cells, and the header has 2/],
    ['name,tags:json\nx,[1\n', /Line 2: the cell of tags:json is not JSON/],
    ['name,tags,tags:json\nx,1,1\n', /Line 1: the column tags occurs twice/],
    [
      'productId,quantity\n1,3.1E+11\n',
      /Line 2: quantity is 3.1E\+11: a spreadsheet has shortened the number/,
    ],
    ['productId\n\n1.17E+14\n', /Line 3: productId is 1.17E\+14: a spreadsheet has shortened/],
  ])('%j gets 400 with the line', async (body, detail) => {
    const answer = await post(body.startsWith('product') ? '/orders' : '/members', body);
    expectProblem(answer, 400, 'malformed-body');
    expect(detailOf(answer)).toMatch(detail);
  });
});

describe('columns of a closed resource', () => {
  const kinds = withOpened('kinds');
  const sample = (body: string, type = 'text/csv') =>
    kinds('POST', '/samples', { body, headers: { 'Content-Type': type } });

  test('an unknown one gets 400 with those that there are', async () => {
    const answer = await sample('name,Betrag\r\nAda,5\r\n');
    expectProblem(answer, 400, 'malformed-body');
    expect(detailOf(answer)).toMatch(
      /^Line 1: there is no column Betrag; the columns are name, code, size, /,
    );
    expect((await sample(' name , createdAt,total\r\nAda,x,5\r\n')).status).toBe(201);
  });

  test.each(['2027-03-28 02:30:00', '2027-03-28T02:30'])(
    'a time without an offset gets 400: %s',
    async (time) => {
      const answer = await sample(`name,at\r\nAda,2027-03-28T02:30:00Z\r\nAda,${time}\r\n`);
      expectProblem(answer, 400, 'malformed-body');
      expect(detailOf(answer)).toBe('Line 3: at has a time without an offset: write Z or +02:00 after it');
      const xml = await sample(`<sample><name>Ada</name><at>${time}</at></sample>`, 'application/xml');
      expectProblem(xml, 400, 'validation-error');
      const form = await sample(`name=Ada&at=${time.replace(' ', 'T')}`, 'application/x-www-form-urlencoded');
      expect([form.status, form.json().at]).toEqual([201, '2027-03-28T02:30:00.000Z']);
    },
  );
});

describe('the identifiers of an exported file', () => {
  test('get 400 in POST, and become copies if the client wants that', async () => {
    const name = unique('export');
    const { id } = await create('/products', { name, price: 1 });
    const exported = (await get(`/products?id=${id}`, { Accept: 'text/csv' })).text;
    const answer = await post('/products', exported);
    expectProblem(answer, 400, 'malformed-body');
    expect(detailOf(answer)).toBe('Line 1: remove the column id: POST makes new items');
    expect((await get(`/products?name=${name}`)).json().items).toHaveLength(1);
    const copies = await post('/products', exported, { Prefer: 'handling=lenient' });
    expect([copies.status, copies.json().items[0]?.status]).toEqual([207, 201]);
    expect((await get(`/products?name=${name}`)).json().items).toHaveLength(2);
    expect((await post('/products', `id,name\n,${name}\n`)).status).toBe(201);
  });

  test('the form of a page has a box for copies', async () => {
    const name = unique('export');
    const { id } = await create('/products', { name });
    const exported = (await get(`/products?id=${id}`, { Accept: 'text/csv' })).text;
    const page = (await get('/products/new', BROWSER)).text;
    expect(page).toContain('name=":copies"');
    const sent = (more: string) => ({
      body: `--b\r\nContent-Disposition: form-data; name=":items"; filename="a.csv"\r\n\r\n${exported}\r\n${more}--b--\r\n`,
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    });
    expectProblem(await send('POST', '/products', sent('')), 400, 'malformed-body');
    const box = '--b\r\nContent-Disposition: form-data; name=":copies"\r\n\r\nyes\r\n';
    expect((await send('POST', '/products', sent(box))).status).toBe(201);
  });
});
