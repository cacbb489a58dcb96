import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Check } from '../../../test/support/checks.ts';
import type { Given } from '../part.ts';
import { opened } from './chromium.ts';
import { EMPTY, filled, type Pages } from './data.ts';

const WIDTHS = { narrow: 360, wide: 1280 };
const SCHEMES = ['light', 'dark'] as const;

/** Where screenshots go; none are made without. */
const { SCREENSHOTS } = process.env;

/** Every kind of page, in light and dark, narrow and wide: accessible, within its width, without a complaint. */
export async function appearance(browser: Browser, { service, check }: Given): Promise<void> {
  await looked(browser, service.url, EMPTY, check);
  await looked(browser, service.url, await filled(service.client), check);
}

async function looked(browser: Browser, baseURL: string, pages: Pages, check: Check): Promise<void> {
  for (const [size, width] of Object.entries(WIDTHS)) {
    for (const colorScheme of SCHEMES) {
      const viewport = { width, height: 800 };
      const { page, faults, close } = await opened(browser, { baseURL, colorScheme, viewport });
      for (const [name, path] of pages) {
        await check(`${name}, ${size}, ${colorScheme}`, async () => {
          faults.length = 0;
          await page.goto(path);
          await judged(page, `${name}-${size}-${colorScheme}`);
          assert.deepEqual(faults, []);
        });
      }
      if (pages !== EMPTY) await refused(page, `${size}-${colorScheme}`, check);
      await close();
    }
  }
}

/** What a form looks like that came back. */
async function refused(page: Page, setting: string, check: Check): Promise<void> {
  await check(`member-refused, ${setting}`, async () => {
    await page.goto('/members/new');
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Age').fill('thirty-six');
    await page.getByRole('button').click();
    await judged(page, `member-refused-${setting}`);
  });
}

/** Looks at the page as it is now. @throws with what is wrong */
export async function judged(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS) {
    mkdirSync(SCREENSHOTS, { recursive: true });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
  }
  const beyond = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(beyond, 0, `The page scrolls sideways by ${beyond} px`);
  assert.deepEqual(await violations(page), []);
}

/** What axe finds, by all of its rules. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]));
    const found = await axe.run(document, { rules, resultTypes: ['violations'] });
    return found.violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${help}\n${html}\n${failureSummary}`),
    );
  });
}
