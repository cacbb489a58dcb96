import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import type { Check } from '../../checks.ts';
import { pathOf } from '../tools.ts';

/** Starts Chromium. */
export const launched = (): Promise<Browser> => chromium.launch({ executablePath: pathOf('chromium') });

/** A page in a new browser context, and the errors of its console since `faults` was last emptied. */
export interface Opened {
  readonly page: Page;
  readonly faults: string[];
  close(): Promise<void>;
}

/** Milliseconds for one check. Some calls of Playwright have no limit, for example a new tab. */
const CHECK = 90_000;

/** Waits for work. @throws Error if it takes longer than a check can take */
async function inTime<T>(name: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(new Error(`${name} took more than ${CHECK / 1000} s`)), CHECK);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Checks that fail if they take too long, so that the suite ends although Chromium hangs. */
export const limited =
  (check: Check): Check =>
  (name, body) =>
    check(name, () => inTime('The check', Promise.resolve().then(body)));

/** Opens an empty page at `baseURL`. */
export async function opened(browser: Browser, options: BrowserContextOptions): Promise<Opened> {
  const context = await inTime('A new context', browser.newContext(options));
  const page = await inTime('A new tab', context.newPage());
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // Chromium reports the status 404 of a page as an error of the page. Some checks expect this status.
    const own = message.location().url === page.url() && message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !own) faults.push(message.text());
  });
  return { page, faults, close: () => inTime('The end of a context', context.close()) };
}
