import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import type { Check } from '../../checks.ts';
import type { Given } from '../part.ts';
import { opened } from './chromium.ts';
import { EMPTY, filled, type Pages } from './data.ts';
import { markup } from './markup.ts';

const WIDTHS = { phone: 320, tablet: 768, laptop: 1280, wide: 1920 };
const SCHEMES = ['light', 'dark'] as const;

/** The folder for screenshots. Without it, the part makes none. */
const { SCREENSHOTS } = process.env;

/** Checks every kind of page, light and dark, narrow and wide: accessibility, width, and errors of the console. */
export async function appearance(browser: Browser, given: Given): Promise<void> {
  const { service, check } = given;
  await looked(browser, service.url, EMPTY, check);
  const pages = await filled(service);
  await markup(pages, given);
  await looked(browser, service.url, pages, check);
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

/** Checks a form that the service returned with faults. */
async function refused(page: Page, setting: string, check: Check): Promise<void> {
  await check(`member-refused, ${setting}`, async () => {
    await page.goto('/members/new');
    await page.getByLabel('User name').fill('ada');
    await page.getByLabel('Age').fill('thirty-six');
    await page.getByRole('button', { name: 'Create member' }).click();
    await judged(page, `member-refused-${setting}`);
  });
}

/** Checks the present page. @throws with its faults */
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

/** The violations that axe finds with all of its rules. */
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
