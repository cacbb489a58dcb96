import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Given } from '../part.ts';
import { opened } from './chromium.ts';
import { EMPTY_PAGE, pageServer } from './origins/page-server.ts';

/**
 * Checks that a form of a page cannot post to another origin, that another origin cannot frame a page, and that a page
 * runs one script only.
 */
export async function policy(browser: Browser, { service: { url }, check }: Given): Promise<void> {
  const { page, faults, close } = await opened(browser, { baseURL: url });
  const other = await pageServer(EMPTY_PAGE);
  const elsewhere = `http://127.0.0.1:${other.port}/`;

  for (const path of ['/', '/members', '/members/new', '/nowhere'])
    await check(`a form on ${path} that posts to another origin sends nothing`, async () => {
      await page.goto(path);
      faults.length = 0;
      await page.evaluate((action) => {
        const form = document.createElement('form');
        Object.assign(form, { method: 'post', action });
        document.body.append(form);
        form.submit();
      }, elsewhere);
      while (faults.length === 0) await page.waitForTimeout(20);
      assert.match(faults[0] ?? '', /form-action 'self'/);
      assert.deepEqual(other.requests, []);
      assert.equal(page.url(), new URL(path, url).href);
    });

  await check('a frame of another origin stays empty', async () => {
    const framing = await pageServer(`${EMPTY_PAGE}<iframe src="${url}/members"></iframe>`);
    faults.length = 0;
    await page.goto(`http://127.0.0.1:${framing.port}/`);
    while (faults.length === 0) await page.waitForTimeout(20);
    assert.match(faults[0] ?? '', /frame-ancestors 'none'/);
    const [, frame] = page.frames();
    assert.doesNotMatch((await frame?.content()) ?? '', /Members/);
    await framing.close();
  });
  await check(
    'a page runs its own script, and neither a file of a client nor a script in its text',
    async () => {
      const script = "document.title += ' hijacked'";
      await fetch(`${url}/files/hijack.js`, {
        method: 'PUT',
        headers: { 'Content-Type': 'text/javascript' },
        body: script,
      });
      const created = await fetch(`${url}/members`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{}',
      });
      const path = created.headers.get('location') ?? '';
      await page.route(`**${path}`, async (route) => {
        const response = await route.fetch();
        const text = (await response.text()).replace(
          '</main>',
          `<script src="/files/hijack.js"></script><script>${script}</script></main>`,
        );
        await route.fulfill({ response, body: text });
      });
      faults.length = 0;
      await page.goto(path, { waitUntil: 'load' });
      await page.unroute(`**${path}`);
      assert.equal(faults.filter((one) => one.includes('script-src')).length, 2, faults.join());
      assert.doesNotMatch(await page.title(), /hijacked/);
      // The own script gives each time a title.
      assert.ok((await page.locator('time[title]').count()) > 0);
    },
  );

  await check('a page opens a stored script as a download', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.goto('/files/hijack.js').catch(() => undefined),
    ]);
    assert.equal(download.suggestedFilename(), 'hijack.js');
  });
  await close();
  await other.close();
}
