import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Given } from '../part.ts';
import { judged } from './appearance.ts';
import { opened } from './chromium.ts';

/** Checks double clicks on forms, and forms with files. */
export async function forms(browser: Browser, { service, check }: Given): Promise<void> {
  const { page, faults, close } = await opened(browser, { baseURL: service.url });

  await check('a double click creates one item', async () => {
    await page.goto('/members/new');
    await page.getByLabel('User name').fill('twice');
    await page.getByRole('button', { name: 'Create member' }).dblclick({ noWaitAfter: true });
    await page.waitForURL(/\/members\/\d+\?:done=created$/);
    const { items } = (await service.client('GET', '/members')).json();
    assert.equal(items.filter(({ username }) => username === 'twice').length, 1);
  });

  await check('a person names the product of an order, and Enter saves the form', async () => {
    await page.goto('/orders/new');
    await page.getByLabel('Product').fill('Stoneware mug');
    await page.getByLabel('Quantity').fill('4');
    await page.getByLabel('Quantity').press('Enter');
    await page.getByRole('status').getByText('The order is created.').waitFor();
    await judged(page, 'order-created');
  });

  await check('a file of items leads to the page of the operation, which ends with its result', async () => {
    await page.goto('/customers/new');
    const rows = Array.from({ length: 500 }, (_, at) => `Customer ${at}`);
    const buffer = Buffer.from(['name', ...rows].join('\n'));
    await page
      .getByLabel('File with many customers')
      .setInputFiles({ name: 'c.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Create all' }).click();
    await page.getByRole('link', { name: 'Result: 500 created' }).waitFor();
    await judged(page, 'operation-done');
  });

  await check(
    'nothing moves while a list arrives, and its first row is near the top of a phone',
    async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto('/products');
      const top = await page
        .locator('tbody tr')
        .first()
        .evaluate((row) => row.getBoundingClientRect().top);
      assert.ok(top < 400, `The first row is at ${top} px`);
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            let sum = 0;
            const add = (list: PerformanceObserverEntryList) => {
              for (const entry of list.getEntries())
                sum += (entry as PerformanceEntry & { value: number }).value;
            };
            new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => resolve(sum), 300);
          }),
      );
      assert.equal(moved, 0);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  await check('the secret of a new subscription is copied', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/subscriptions/new');
    await page.getByLabel('URL').fill('https://receiver.example/events');
    await page.getByRole('group', { name: 'Orders' }).getByLabel('paid').check();
    await judged(page, 'subscription-new');
    await page.getByRole('button', { name: 'Create subscription' }).click();
    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    await judged(page, 'subscription-made');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await page.locator('[data-copy]').textContent());
  });

  await check('a file of items has a preview, which creates them', async () => {
    const text = 'productId,quantity\n1,3\n2,5\n';
    const file = { name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.goto('/orders/new');
    await page.getByLabel('File with many orders').setInputFiles(file);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('cell', { name: '49.50 EUR' }).waitFor();
    await judged(page, 'orders-plan');
    await page.getByRole('button', { name: 'Create 2 orders' }).press('Enter');
    await page.getByText('2 orders are stored.').waitFor();
  });

  await check('a product shows its image', async () => {
    await page.goto('/products/1');
    const width = await page.getByRole('img').evaluate((image) => (image as HTMLImageElement).naturalWidth);
    assert.ok(width > 0, 'The image has no width');
  });

  await check('a file is uploaded, read and deleted', async () => {
    const name = 'grüße & "more".txt';
    const path = `/files/${encodeURIComponent(name)}`;
    await page.goto('/files');
    const file = { name, mimeType: 'text/plain', buffer: Buffer.from('hello') };
    await page.getByLabel('Files to store').setInputFiles(file);
    await page.getByRole('button', { name: 'Upload' }).click();
    await page.getByRole('link', { name, exact: true }).waitFor();
    assert.equal((await service.client('GET', path)).text, 'hello');
    const row = page.getByRole('row').filter({ hasText: name });
    await row.getByRole('checkbox').check();
    await page.locator('.ticks summary').click();
    await judged(page, 'files-open');
    await page.getByRole('button', { name: 'Delete now' }).click();
    await row.waitFor({ state: 'detached' });
    assert.equal((await service.client('GET', path)).status, 404);
  });

  await check('a form with several files, one of them existing, shows the result of each', async () => {
    const files = ['a.txt', 'b.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    }));
    for (const some of [files.slice(0, 1), files]) {
      await page.goto('/files');
      await page.getByLabel('Files to store').setInputFiles(some);
      await page.getByRole('button', { name: 'Upload' }).click();
      await page.waitForLoadState();
    }
    for (const { name } of files) assert.equal((await service.client('GET', `/files/${name}`)).text, name);
    assert.deepEqual(faults, []);
  });
  await close();
}
