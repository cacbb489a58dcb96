import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { DEVICES, type Picture, pictures, shownBy } from '../../test/docs/pictures.ts';
import { newService } from '../../test/support/service/service.ts';
import { packageIn } from '../../tools/packages.ts';

/**
 * `npm run lab -- pictures` takes the pictures of docs/pages with Chromium. It also writes digests of the markup and of
 * the style sheet that they show, so that test/docs/pictures.test.ts finds a picture that is out of date.
 */
const FOLDER = join(import.meta.dirname, '../../docs/pages');

packageIn(import.meta.dirname);
const { launched, opened } = await import('./browser/chromium.ts');
const { withPalette } = await import('./browser/palette.ts');

/** Brings the page to what the picture shows. */
async function prepare(page: Page, { path, ticks = 0, fills = {}, press }: Picture): Promise<void> {
  await page.goto(path);
  for (let row = 0; row < ticks; row += 1) await page.locator('tbody input[type=checkbox]').nth(row).check();
  for (const [label, text] of Object.entries(fills))
    await page.getByLabel(label, { exact: false }).first().fill(text);
  if (press) await page.locator('main :is(button, summary)').filter({ hasText: press }).first().click();
  await page.waitForLoadState();
  await page.evaluate(() =>
    Promise.all([...document.images].map((one) => Object.assign(one, { loading: 'eager' }).decode())),
  );
}

type Device = (typeof DEVICES)[keyof typeof DEVICES];

/** Takes the picture of a page on a device. */
async function take(
  browser: Browser,
  baseURL: string,
  file: string,
  picture: Picture,
  device: Device,
): Promise<void> {
  const { width, height, dark } = device;
  const { page, close } = await opened(browser, {
    baseURL,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-US',
    timezoneId: 'UTC',
  });
  await prepare(page, picture);
  writeFileSync(join(FOLDER, file), await withPalette(page, await page.screenshot()));
  await close();
}

const service = await newService();
const browser = await launched();
try {
  const all = await pictures(service.client);
  const shown = await shownBy(service.client, all);
  for (const [name, picture] of Object.entries(all))
    for (const [end, device] of Object.entries(DEVICES))
      await take(browser, service.url, `${name}${end}.png`, picture, device);
  writeFileSync(join(FOLDER, 'shown.json'), `${JSON.stringify(shown, undefined, 2)}\n`);
} finally {
  await browser.close();
  await service.stop();
}
