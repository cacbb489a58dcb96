import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Given } from '../part.ts';
import { startService } from '../service.ts';
import { opened } from './chromium.ts';

const MILLISECONDS = 15_000;
const ACCESS_COOKIE = '__Host-access';

/** Checks the sign-in on the pages of a service that requires authentication. Source: Specification 11.8 to 11.13. */
export async function signIn(browser: Browser, { check }: Pick<Given, 'check'>): Promise<void> {
  const service = await startService(['--auth']);
  const { url } = service;
  const { page, close } = await opened(browser, { baseURL: url });
  page.setDefaultTimeout(MILLISECONDS);
  const context = page.context();
  try {
    await work(page, url, check);
    await expired(page, context, url, check);
    await foreignForms(context, url, check);
    await leave(page, context, url, check);
  } finally {
    await close();
    await service.stop();
  }
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const mainText = (page: Page): Promise<string> => page.locator('main').innerText();

async function work(page: Page, url: string, check: Given['check']): Promise<void> {
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
    const { request } = page.context();
    const made = await request.post('/orders', { data: { productId: 1 }, headers: { Origin: url } });
    await page.goto(made.headers().location ?? '');
    await button(page, /^Pay/).click();
    await page.waitForLoadState();
    assert.match(await mainText(page), /paid/i);
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
    const link = page.getByRole('link', { name: /Sign in again/ });
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click()]);
    await tab.waitForURL(`${url}/**`);
    await tab.close();
    await button(page, 'Create member').click();
    await page.waitForURL(/members\/\d+/);
    assert.ok((await mainText(page)).includes('late'));
  });
}

async function foreignForms(context: BrowserContext, url: string, check: Given['check']): Promise<void> {
  const server = createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<form method="post" action="${url}/members"><input name="username"><button>Go</button></form>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const host of ['127.0.0.1', 'localhost']) {
    await check(
      `a form of ${host === 'localhost' ? 'another site' : 'another port'} changes nothing`,
      async () => {
        const page = await context.newPage();
        await page.goto(`http://${host}:${port}/`);
        const answered = page.waitForResponse(`${url}/members`);
        await button(page, 'Go').click();
        assert.equal((await answered).status(), 403);
        await page.close();
      },
    );
  }
  server.close();
}

async function leave(page: Page, context: BrowserContext, url: string, check: Given['check']): Promise<void> {
  await check('the sign-in leads to no other site', async () => {
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example/']) {
      const response = await page.goto(`/sign-in?to=${encodeURIComponent(to)}`);
      assert.equal(response?.status(), 400, to);
    }
  });
  await check('a person signs out of the service and of the issuer', async () => {
    await page.goto('/');
    await button(page, 'Sign out').click();
    await page.waitForURL(({ href }) => !href.startsWith(url));
    await button(page, 'Sign out').click();
    await page.waitForURL(`${url}/sign-out`);
    const cookies = await context.cookies(`${url}/sign-in`);
    assert.deepEqual(
      cookies.map(({ name }) => name).filter((name) => name.startsWith('__')),
      [],
    );
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
    assert.ok((await mainText(page)).includes('orders:read'));
  });
}
