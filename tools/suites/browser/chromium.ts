import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { pathOf } from '../tools.ts';

/** A real browser. */
export const launched = (): Promise<Browser> => chromium.launch({ executablePath: pathOf('chromium') });

/** A page in a browser of its own, and everything that its console called an error since `faults` was last emptied. */
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
    // A page that says 404 is one: Chromium reports its status as an error of the page itself.
    const own = message.location().url === page.url() && message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !own) faults.push(message.text());
  });
  return { page, faults, close: () => context.close() };
}
