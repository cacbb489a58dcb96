import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Given } from '../part.ts';
import { opened } from './chromium.ts';
import { EMPTY_PAGE, pageServer } from './page-server.ts';

/** Checks that a form of a page cannot post to another origin, and that another origin cannot frame a page. */
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
  await close();
  await other.close();
}
