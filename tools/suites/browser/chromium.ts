import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { pathOf } from '../tools.ts';

/** Starts Chromium. */
export const launched = (): Promise<Browser> => chromium.launch({ executablePath: pathOf('chromium') });

/** A page in a new browser context, and the errors of its console since `faults` was last emptied. */
export interface Opened {
  readonly page: Page;
  readonly faults: string[];
  close(): Promise<void>;
}

/** Opens an empty page at `baseURL`. */
export async function opened(browser: Browser, options: BrowserContextOptions): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // Chromium reports the status 404 of a page as an error of the page. Some checks expect this status.
    const own = message.location().url === page.url() && message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !own) faults.push(message.text());
  });
  return { page, faults, close: () => context.close() };
}
