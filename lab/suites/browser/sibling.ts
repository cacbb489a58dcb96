import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Given } from '../part.ts';
import { startService } from '../service.ts';
import { opened } from './chromium.ts';
import { EMPTY_PAGE, pageServer } from './page-server.ts';

const ACCESS_COOKIE = '__Host-access';

/**
 * Checks cookies that another host of the domain sets. The service is `app.localhost`, the other host
 * `other.app.localhost`. Source: RFC 6265 §8.6; Specification 11.10.
 */
export async function sibling(browser: Browser, { check }: Pick<Given, 'check'>): Promise<void> {
  const service = await startService(['--auth']);
  const { page, close } = await opened(browser, { baseURL: service.url });
  try {
    const { port } = new URL(service.url);
    await page.goto('/');
    await page.getByLabel('Bob Kahn').check();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${service.url}/`);
    const cookies = await page.context().cookies(service.url);
    const token = cookies.find(({ name }) => name === ACCESS_COOKIE)?.value;
    for (const before of ['y=1,', '\u00a0']) {
      await check(
        `the cookie of another host with ${JSON.stringify(before)} before its name is no token`,
        async () => {
          const other = await pageServer(
            EMPTY_PAGE,
            `${before}${ACCESS_COOKIE}=${token}; Domain=app.localhost; Path=/members`,
          );
          await page.goto(`http://other.app.localhost:${other.port}/`);
          const members = `http://app.localhost:${port}/members`;
          const [answer] = await Promise.all([page.waitForResponse(members), page.goto(members)]);
          const { cookie = '' } = await answer.request().allHeaders();
          assert.ok(cookie.includes(`${ACCESS_COOKIE}=${token}`), `Chromium sends only '${cookie}'`);
          assert.equal(answer.status(), 303);
          await page.context().clearCookies();
          await other.close();
        },
      );
    }
  } finally {
    await close();
    await service.stop();
  }
}
