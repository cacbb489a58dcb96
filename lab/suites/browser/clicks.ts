import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Given } from '../part.ts';
import { opened } from './chromium.ts';

const DOCUMENTS = join(import.meta.dirname, '../../../docs');

/** A member, a customer with twelve orders, of which six are paid, and ten old products. Returns the paths. */
async function filled({ client, create }: Given['service']): Promise<string[]> {
  const customer = await create('/customers', { name: 'Harbour Books' });
  const member = await create('/members', { name: 'Mary Jackson', username: 'mary' });
  let order = '';
  for (let at = 0; at < 12; at += 1) {
    if (order !== '' && at <= 6) await client('POST', `${order}/pay`);
    order = await create(`${customer}/orders`, { productId: 1, quantity: 2 });
  }
  for (let at = 0; at < 10; at += 1) await create('/products', { name: `Old ${at}`, price: 1 });
  return [customer, member, order];
}

const memberNamed = (name: string) =>
  `User name=${name}, Name=${name}, E-mail=${name}@example.org, Photo=pages/missing.png`;
const ANOTHER = 'Create and add another';

/** Each task: the page where it begins, and its steps. A step is `label=value`, a key in brackets, or what to click. */
const tasksFor = (customer = '', member = '', order = ''): Record<string, readonly [string, string]> => ({
  '3 members with photo': [
    '/members',
    `New member, ${memberNamed('ada')}, ${ANOTHER}, ${memberNamed('joan')}, ${ANOTHER}, ${memberNamed('eva')}, Create member`,
  ],
  '5 orders of one customer': [
    customer,
    `New order, ${`Product=Stoneware mug, ${ANOTHER}, `.repeat(4)}Product=Stoneware mug, Create order`,
  ],
  'pay one order': [order, 'Pay order…, Pay order now'],
  'all paid orders of at least 20': ['/orders', 'Paid, Filters, Value at least=20, [Enter]'],
  'delete 10 items': ['/products?name.words=Old', 'All rows, Delete…, Delete now'],
  'move 5 orders on': [`${customer}/orders?status=paid&limit=5`, 'All rows, Place…, Place now'],
  'change an e-mail address': [member, '[e], E-mail=mary@example.org, [Enter]'],
  'find a customer by a part of the name': ['/', 'Search everything=books, [Enter]'],
  'the orders in a state': ['/', 'paid'],
  'the latest order': ['/', 'Order of Harbour Books'],
  'paid orders as CSV': ['/orders', 'Paid, CSV'],
  'see whether work runs or has failed': ['/', ''],
});

/** Measures the clicks, the inputs and the page loads of tasks, and compares them with the table in docs/pages.md. */
export async function clicks(browser: Browser, { service, check }: Given): Promise<void> {
  const { page, close } = await opened(browser, { baseURL: service.url });
  for (const [name, [start, steps]] of Object.entries(tasksFor(...(await filled(service)))))
    await check(`clicks: ${name}`, async () => {
      await page.goto(start);
      const row = `| ${name} | ${await countsOf(page, steps.split(', ').filter(Boolean))} |`;
      const table = readFileSync(join(DOCUMENTS, 'pages.md'), 'utf8');
      assert.ok(table.includes(row), `docs/pages.md lacks ${row}`);
    });
  await close();
}

/** The numbers of a task: clicks and keys, inputs, page loads. */
async function countsOf(page: Page, steps: readonly string[]): Promise<string> {
  let loads = 0;
  const count = () => {
    loads += 1;
  };
  page.on('load', count);
  for (const step of steps) {
    const [label = '', value] = step.split('=');
    const key = /^\[(.+)\]$/.exec(step)?.[1];
    const input = page
      .getByLabel(label, { exact: true })
      .or(page.getByLabel(`${label} (required)`))
      .first();
    if (value?.endsWith('.png')) await input.setInputFiles(join(DOCUMENTS, value));
    else if (value !== undefined) await input.fill(value);
    else if (key) await Promise.all([page.waitForEvent('load'), page.keyboard.press(key)]);
    else
      await page.locator('main :is(a, b, button, summary, input)').and(clickable(page, step)).first().click();
    await page.waitForLoadState('networkidle');
  }
  page.off('load', count);
  const inputs = steps.filter((step) => step.includes('=')).length;
  return `${steps.length - inputs} + ${inputs} + ${loads}`;
}

/** The elements with a text or a label. */
const clickable = (page: Page, text: string) =>
  page.getByText(text).or(page.getByLabel(text, { exact: true }));
