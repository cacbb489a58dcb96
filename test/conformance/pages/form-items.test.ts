import { describe, expect, test } from '@jest/globals';
import { BROWSER, formsOf, headingOf } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const browse = async (path: string) => (await get(path, BROWSER)).text;

/** Sends a file by the second form of the page for a new customer. */
async function upload(
  filename: string,
  content: string,
  key = unique('k'),
  type = 'application/octet-stream',
  more: Readonly<Record<string, string>> = {},
) {
  const form = formsOf(await browse('/customers/new'))[1];
  expect(form).toMatchObject({ method: 'post', action: '/customers', enctype: 'multipart/form-data' });
  const parts = [
    ...Object.entries(more).map(
      ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--b\r\nContent-Disposition: form-data; name=":idempotency-key"\r\n\r\n${key}\r\n`,
    `--b\r\nContent-Disposition: form-data; name=":items"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n${content}\r\n`,
  ];
  const headers = { ...BROWSER, 'Content-Type': 'multipart/form-data; boundary=b' };
  return send('POST', '/customers', { headers, body: `${parts.join('')}--b--\r\n` });
}

const named = async (prefix: string): Promise<readonly unknown[]> =>
  (await get(`/customers?name.prefix=${prefix}&sort=id&limit=1000`)).json().items;

// Specification 6.4, 9.1
describe('a file with items', () => {
  test.each([
    ['csv', (name: string) => `name,address\r\n${name} 1,Galway\r\n${name} 2,Cork\r\n`],
    ['json', (name: string) => JSON.stringify([{ name: `${name} 1` }, { name: `${name} 2` }])],
    ['jsonl', (name: string) => `{"name":"${name} 1"}\n{"name":"${name} 2"}\n`],
  ])('creates all of them (%s)', async (ending, content) => {
    const name = unique('file');
    const sent = await upload(`customers.${ending}`, content(name));
    expect([sent.status, sent.headers.location]).toEqual([303, '/customers?sort=-id&:done=stored&:made=2']);
    // Their numbers keep the order of the file.
    expect(await named(name)).toMatchObject([{ name: `${name} 1` }, { name: `${name} 2` }]);
  });

  test('is read by its media type if the ending of its name is unknown', async () => {
    const name = unique('file');
    expect((await upload('customers', `[{"name":"${name}"}]`, undefined, 'application/json')).status).toBe(
      303,
    );
    expect((await upload('customers.pdf', 'x', undefined, 'application/pdf')).status).toBe(415);
    expect(await named(name)).toHaveLength(1);
  });

  test('is created once after a double click, and the key takes no other file', async () => {
    const [name, key] = [unique('file'), unique('k')];
    const send = (number: number) => upload('c.json', JSON.stringify([{ name: `${name} ${number}` }]), key);
    expect([(await send(1)).status, (await send(1)).status]).toEqual([303, 303]);
    expect((await send(2)).status).toBe(422);
    expect(await named(name)).toHaveLength(1);
  });

  test.each([
    ['a second file', ':items', '; filename="b.csv"'],
    ['another input', 'address', ''],
  ])('gets 400 beside %s, and creates nothing', async (_, input, more) => {
    const name = unique('file');
    const part = (of: string, content: string) =>
      `--b\r\nContent-Disposition: form-data; ${of}\r\n\r\n${content}\r\n`;
    const answer = await send('POST', '/customers', {
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      body: `${part('name=":items"; filename="a.csv"', `name\r\n${name}`)}${part(`name="${input}"${more}`, `name\r\n${name}`)}--b--\r\n`,
    });
    expectProblem(answer, 400, 'validation-error');
    expect(answer.json().errors).toMatchObject([{ pointer: `/${input}` }]);
    expect(await named(name)).toEqual([]);
  });

  // Specification 7.18
  test.each(['customers, old.csv', 'customers.json'])('has a preview, which sends %s again', async (file) => {
    const name = unique('file');
    const rows = { csv: `name,address\r\n"${name}","Main St\r\nCork"\r\n`, json: `[{"name":"${name}"}]` };
    const isTable = file.endsWith('csv');
    const plan = await upload(file, isTable ? rows.csv : rows.json, unique('k'), undefined, {
      ':plan': 'yes',
    });
    expect([plan.status, headingOf(plan.text)]).toEqual([200, 'Create 1 customer?']);
    expect(plan.text).toContain(`<tr><th>${name}`);
    expect(await named(name)).toEqual([]);
    const { action, enctype, inputs } = formsOf(plan.text)[0] ?? {};
    const body = new FormData();
    for (const [input, value] of inputs ?? []) body.append(input, value);
    const sent = new Response(body);
    const made = await send('POST', String(action), {
      headers: { ...BROWSER, 'Content-Type': sent.headers.get('content-type') ?? '' },
      body: Buffer.from(await sent.arrayBuffer()),
    });
    const location = '/customers?sort=-id&:done=stored&:made=1';
    expect([enctype, made.status, made.headers.location]).toEqual(['multipart/form-data', 303, location]);
    expect(await named(name)).toMatchObject([{ name, ...(isTable ? { address: 'Main St\r\nCork' } : {}) }]);
  });

  test('creates nothing if an item is faulty, and the page names the item', async () => {
    const name = unique('file');
    const refused = await upload('c.json', JSON.stringify([{ name: `${name}` }, { name: 5 }]));
    expect([refused.status, headingOf(refused.text)]).toEqual([400, 'New customer: please correct it']);
    expect(refused.text).toMatch(/Item 2, name: must be/);
    expect(refused.text).toContain('Nothing is stored. Correct the file, then send it again.');
    expect(await named(name)).toHaveLength(0);
  });

  test('has errors that name the inputs and the columns for people', async () => {
    const refused = await upload('c.csv', 'name,a/b\r\nx,1\r\n');
    expect(refused.text).toContain('Line 2, a/b: ');
    expect(refused.text).not.toMatch(/~1|\/0\//);
    const headers = { ...BROWSER, 'Content-Type': 'multipart/form-data; boundary=b' };
    const part = 'Content-Disposition: form-data; name=":items"; filename="a.csv"\r\n\r\nname\r\nx\r\n';
    const beside = await send('POST', '/customers/new', { headers, body: `--b\r\n${part}--b--\r\n` });
    expect([beside.status, beside.text]).toEqual([400, expect.stringContaining('File of items: ')]);
    expect(beside.text).not.toContain('/:items');
  });

  test.each([
    ['c.json', '[{"name": "x"', 'Item 1: '],
    ['c.csv', '', 'The row with the names of the properties is missing'],
    ['c.csv', 'name\r\n', 'the file has no items'],
  ])('says in words for people what makes a file unreadable (%s, %j)', async (name, content, fault) => {
    const { status, text } = await upload(name, content);
    expect([status, text]).toEqual([400, expect.stringContaining(fault)]);
    expect(text).toContain('Nothing is stored. Correct the file, then send it again.');
    expect(text).not.toMatch(/The body|an element|valid (?:text|application)\//);
  });

  test('says that commas separate cells, and counts the lines of the file', async () => {
    const separated = await upload('c.csv', 'name;email\r\nAcme;a@b.example\r\n');
    expect([separated.status, separated.text]).toEqual([
      400,
      expect.stringContaining('Line 1: separate cells by commas, not by semicolons'),
    ]);
    const refused = await upload('c.csv', 'name,email\r\n\r\n"two\nlines",a@b.example\r\nx,y\r\n');
    expect(refused.text).toContain('Line 5, email: ');
  });

  test('with many items leads to the page of the operation, which says what it created', async () => {
    const name = unique('file');
    const many = Array.from({ length: 300 }, (_, at) => ({ name: `${name} ${at}` }));
    const sent = await upload('c.json', JSON.stringify(many));
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringMatching(/^\/operations\/\d+$/)]);
    await get(sent.headers.location as string, { Prefer: 'wait=20' });
    const page = await browse(sent.headers.location as string);
    expect(page).toContain('<a class="button" href="/customers">Result: 300 created →</a>');
    expect(await named(name)).toHaveLength(300);
  });
});
