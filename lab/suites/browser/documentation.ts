import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Given } from '../part.ts';
import { opened } from './chromium.ts';

/** Checks the documentation page and its search for operations. */
export async function documentation(browser: Browser, { service, check }: Given): Promise<void> {
  const { page, faults, close } = await opened(browser, { baseURL: service.url });
  const rows = page.locator('.opblock');
  const groups = page.locator('.opblock-tag');
  await page.goto('/docs');
  await groups.first().waitFor();

  await check('the page opens with all groups closed', async () => {
    assert.equal(await rows.count(), 0);
    assert.ok((await groups.count()) > 5);
  });

  await check('a search shows the operations with all of its words', async () => {
    await page.fill('.operation-filter-input', 'DELETE order customers');
    await page.locator('.opblock-delete').waitFor();
    assert.equal(await rows.count(), 1);
    assert.match((await rows.first().textContent()) ?? '', /DELETE.*\/customers\/\{id\}\/orders/);
  });

  await check('no row is one of HEAD or OPTIONS', async () => {
    await page.fill('.operation-filter-input', '/');
    await page.locator('.opblock-get').first().waitFor();
    assert.equal(await page.locator('.opblock-head, .opblock-options').count(), 0);
    assert.ok((await rows.count()) > 50);
  });

  await check('the page links the home page, and has no rows of forms', async () => {
    assert.equal(await page.locator('.brand').getAttribute('href'), '.');
    assert.equal(await page.locator('.opblock', { hasText: '/orders/new' }).count(), 0);
    assert.ok((await page.locator('.opblock', { hasText: '/orders/{id}/pay' }).count()) > 0);
  });

  await check('a person chooses a resource without a mouse, and returns to all', async () => {
    for (const [name, most] of [
      ['Orders', 1],
      ['All resources', 100],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).first().focus();
      await page.keyboard.press('Enter');
      await page.locator('nav a[aria-current=page]', { hasText: name }).waitFor();
      await groups.first().waitFor();
      assert.ok((await groups.count()) <= most);
    }
    assert.ok((await groups.count()) > 5);
  });

  await check('the page causes no error', async () => assert.deepEqual(faults, []));
  await close();

  await check('the page is dark if the browser prefers dark', async () => {
    const dark = await opened(browser, { baseURL: service.url, colorScheme: 'dark' });
    await dark.page.goto('/docs');
    const [red = 255] = await dark.page.evaluate(() =>
      (getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []).map(Number),
    );
    await dark.close();
    assert.ok(red < 64, `Its background has ${red} of 255`);
  });
}
