import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Given } from '../part.ts';
import { judged } from './appearance.ts';
import { opened } from './chromium.ts';
import { pageServer } from './origins/page-server.ts';

const ACCESS_COOKIE = '__Host-access';

/** Checks the sign-in on the pages of a service that requires authentication. Source: Specification 11.8 to 11.13. */
export async function signIn(browser: Browser, { service: { url }, check }: Given): Promise<void> {
  const { page, close } = await opened(browser, { baseURL: url });
  const context = page.context();
  await work(page, check);
  await expired(page, context, url, check);
  await foreignForms(page, url, check);
  await leave(page, context, url, check);
  await close();
  await tryOut(browser, url, check);
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const mainText = (page: Page): Promise<string> => page.locator('main').innerText();

async function work(page: Page, check: Given['check']): Promise<void> {
  await check('a person without a token signs in, and comes back to the page', async () => {
    await page.goto('/members/new');
    assert.equal(await page.title(), 'Sign in');
    await page.getByLabel('Ada Byron').check();
    await button(page, 'Sign in').click();
    await page.waitForURL('**/members/new');
    assert.equal(await page.getByText('Signed in as').count(), 1);
  });
  let member = '';
  await check('a person creates a member', async () => {
    await page.getByLabel('User name').fill('browser');
    await button(page, 'Create member').click();
    await page.waitForURL(/members\/\d+/);
    member = new URL(page.url()).pathname;
  });
  await check('a person edits a member', async () => {
    await page.goto(`${member}/edit`);
    await page.getByLabel('E-mail').fill('a@example.com');
    await button(page, 'Save').click();
    await page.waitForURL(({ pathname }) => pathname === member);
    assert.ok((await mainText(page)).includes('a@example.com'));
  });
  await check('a person uploads a file', async () => {
    await page.goto('/files');
    const file = { name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('text') };
    await page.getByLabel('Files to store').setInputFiles(file);
    await button(page, 'Upload').click();
    await page.getByRole('link', { name: 'x.txt', exact: true }).waitFor();
  });
  await check('a person pays an order', async () => {
    await page.goto('/orders/new');
    await page.getByLabel('Product').fill('Stoneware mug');
    await button(page, 'Create order').click();
    await page.getByText('The order is created.').waitFor();
    await page.locator('summary').filter({ hasText: /^Pay/ }).click();
    await button(page, /^Pay .* now/).click();
    await page.getByText('paid', { exact: true }).first().waitFor();
  });
}

async function expired(
  page: Page,
  context: BrowserContext,
  url: string,
  check: Given['check'],
): Promise<void> {
  await check('a token that ends while a person fills a form loses no input', async () => {
    await page.goto('/members/new');
    await page.getByLabel('User name').fill('late');
    await context.clearCookies({ name: ACCESS_COOKIE });
    await button(page, 'Create member').click();
    await page.waitForLoadState();
    assert.equal(await page.getByLabel('User name').inputValue(), 'late');
    await judged(page, 'sign-in-expired');
    const link = page.getByRole('link', { name: /Sign in again/ });
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await tab.waitForURL(`${url}/**`);
    await tab.close();
    await button(page, 'Create member').click();
    await page.waitForURL(/members\/\d+/);
    assert.ok((await mainText(page)).includes('late'));
  });
}

/** A form of another port is of the same site, and Chromium sends the cookie. A form of another site gets no cookie. */
async function foreignForms(page: Page, url: string, check: Given['check']): Promise<void> {
  const { port, close } = await pageServer(
    `<form method="post" action="${url}/members"><input name="username" value="foreign"><button>Go</button></form>`,
  );
  for (const [host, place] of [
    ['127.0.0.1', 'another port'],
    ['localhost', 'another site'],
  ] as const) {
    await check(`a form of ${place} changes nothing`, async () => {
      await page.goto(`http://${host}:${port}/`);
      const [answer] = await Promise.all([
        page.waitForResponse(`${url}/members`),
        button(page, 'Go').click(),
      ]);
      const { cookie = '' } = await answer.request().allHeaders();
      const hasCookie = host === '127.0.0.1';
      assert.equal(cookie.includes(ACCESS_COOKIE), hasCookie);
      // Both origins are allowed. No other origin may use the cookie, and a request without it has no token.
      assert.equal(answer.status(), hasCookie ? 403 : 401);
      // Chromium opens no other tab if a tab closes while it still shows the response: this tab goes on instead.
      await page.goto(`${url}/members`);
      assert.equal(await page.getByText('foreign').count(), 0);
    });
  }
  await close();
}

async function leave(page: Page, context: BrowserContext, url: string, check: Given['check']): Promise<void> {
  await check('the sign-in leads to no other site', async () => {
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example/']) {
      const response = await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
      assert.equal(response?.status(), 400, to);
    }
  });
  const version = `/files/x.txt/versions/${await firstVersion(page)}`;
  await check('a person signs out of the service and of the issuer', async () => {
    // The browser keeps no response for the next person.
    for (const path of [version, '/schemas/member', '/add?operand1=1&operand2=2'])
      assert.equal((await page.goto(path))?.status(), 200, path);
    await page.goto('/');
    await button(page, 'Sign out').click();
    await page.waitForURL(({ href }) => !href.startsWith(url));
    await button(page, 'Sign out').click();
    await page.waitForURL(`${url}/sign-out`);
    await judged(page, 'signed-out');
    const cookies = await context.cookies(`${url}/sign-in`);
    assert.deepEqual(
      cookies.map(({ name }) => name).filter((name) => name.startsWith('__')),
      [],
    );
  });
  await check('an address that a person has seen leads the next one to the sign-in', async () => {
    for (const path of [version, '/schemas/member', '/add?operand1=1&operand2=2']) {
      await page.goto(path);
      assert.equal(await page.title(), 'Sign in', path);
    }
  });
  await check('a person without a scope sees no action that needs it, and a page that names it', async () => {
    await page.goto('/members');
    await page.getByLabel('Bob Kahn').check();
    await page.getByLabel('members:write').uncheck();
    await page.getByLabel('orders:read').uncheck();
    await button(page, 'Sign in').click();
    await page.waitForURL('**/members');
    assert.equal(await page.getByRole('link', { name: 'New member' }).count(), 0);
    const response = await page.goto('/orders');
    assert.equal(response?.status(), 403);
    assert.ok((await mainText(page)).includes('You may not see orders'));
    await judged(page, 'scope-missing');
  });
  await check('a sign-in that this browser has not begun leads to another one', async () => {
    const response = await page.goto('/sign-in/callback?code=forged&state=forged');
    assert.equal(response?.status(), 403);
    await judged(page, 'sign-in-refused');
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${url}/`);
  });
}

async function tryOut(browser: Browser, url: string, check: Given['check']): Promise<void> {
  const { page, close } = await opened(browser, { baseURL: url });
  /** The status of a request that a person tries out. */
  const tried = async (method: string, path: string): Promise<string> => {
    await page.fill('.operation-filter-input', `${method} ${path}`);
    const row = page.locator(`.opblock-${method}:has([data-path="${path}"])`);
    await row.locator('.opblock-summary-control').click();
    await row.getByRole('button', { name: 'Try it out' }).click();
    await row.getByRole('button', { name: 'Execute' }).click();
    return row.locator('.live-responses-table .response .response-col_status').innerText();
  };
  await check('the documentation page links the sign-in, and a request before it gets 401', async () => {
    await page.goto('/docs');
    await page.getByRole('status').getByText('Sign in to try requests out.').waitFor();
    assert.match(await tried('get', '/orders'), /^401/);
  });
  await check('a person signs in there and tries requests out with the own scopes', async () => {
    await page.getByRole('status').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('orders:read').uncheck();
    await button(page, 'Sign in').click();
    await page.getByRole('status').getByText('Signed in as Ada Byron').waitFor();
    assert.equal(new URL(page.url()).pathname, '/docs');
    assert.match(await tried('post', '/members'), /^201/);
    assert.match(await tried('get', '/orders'), /^403/);
  });
  await check('the documentation page links the sign-in again after the token has ended', async () => {
    await page.context().clearCookies({ name: ACCESS_COOKIE });
    assert.match(await tried('get', '/customers'), /^401/);
    await page.getByRole('status').getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('status').getByText('Signed in as Ada Byron').waitFor();
  });
  await close();
}

/** The first version of the file that the person has uploaded. */
async function firstVersion(page: Page): Promise<string> {
  const answer = await page.request.get('/files/x.txt/versions', {
    headers: { Accept: 'application/json' },
  });
  const { items } = (await answer.json()) as { items: readonly { version: string }[] };
  return items.at(-1)?.version ?? '';
}
