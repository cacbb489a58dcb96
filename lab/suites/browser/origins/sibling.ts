import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Given } from '../../part.ts';
import { opened } from '../chromium.ts';
import { EMPTY_PAGE, pageServer } from './page-server.ts';

const ACCESS_COOKIE = '__Host-access';

/**
 * Checks cookies that another host of the domain sets. The service is `app.localhost`, the other host
 * `other.app.localhost`. Source: RFC 6265 §8.6; Specification 11.10.
 */
export async function sibling(browser: Browser, { service: { url }, check }: Given): Promise<void> {
  const { page, close } = await opened(browser, { baseURL: url });
  await page.goto('/');
  await page.getByLabel('Bob Kahn').check();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
  const cookies = await page.context().cookies(url);
  const token = cookies.find(({ name }) => name === ACCESS_COOKIE)?.value;
  const members = `http://app.localhost:${new URL(url).port}/members`;
  for (const before of ['y=1,', '\u00a0']) {
    await check(
      `the cookie of another host with ${JSON.stringify(before)} before its name is not a token`,
      async () => {
        const cookie = `${before}${ACCESS_COOKIE}=${token}; Domain=app.localhost; Path=/members`;
        const other = await pageServer(EMPTY_PAGE, cookie);
        await page.goto(`http://other.app.localhost:${other.port}/`);
        const [answer] = await Promise.all([page.waitForResponse(members), page.goto(members)]);
        const { cookie: sent = '' } = await answer.request().allHeaders();
        assert.ok(sent.includes(`${ACCESS_COOKIE}=${token}`), `Chromium sends only '${sent}'`);
        assert.equal(answer.status(), 303);
        await page.context().clearCookies();
        await other.close();
      },
    );
  }
  await close();
}
