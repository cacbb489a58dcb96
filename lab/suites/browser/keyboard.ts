import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import type { Given } from '../part.ts';
import { judged } from './appearance.ts';
import { opened } from './chromium.ts';

/** A number of Tab stops that no page reaches. */
const STOPS = 80;

/** Creates, corrects, edits and deletes a member by keyboard only. */
export async function keyboard(browser: Browser, { service, check }: Given): Promise<void> {
  const { page, faults, close } = await opened(browser, { baseURL: service.url });
  const press = (key: string) => page.keyboard.press(key);
  const write = async (label: string, text: string) => {
    await tabTo(page, label);
    await press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  /** Presses Enter and waits for the next page. */
  const enter = () => Promise.all([page.waitForEvent('load'), press('Enter')]);
  let member = '';

  await check('the first Tab stop is the link to the content', async () => {
    await page.goto('/members');
    await press('Tab');
    assert.equal(await focused(page), 'Skip to content');
    await press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'main');
  });

  await check('a refused form comes back with the focus on the faulty input', async () => {
    await tabTo(page, 'New member');
    await enter();
    await write('User name', 'ada');
    await write('Age', 'thirty-six');
    await enter();
    assert.match(await page.title(), /please correct it/);
    // `autofocus` takes effect when the browser draws the page.
    await page.waitForFunction(() => document.activeElement?.className === 'refused');
    await press('Tab');
    assert.match(await focused(page), /^Age: /);
    await press('Enter');
    assert.equal(await focused(page), 'Age');
    assert.equal(await page.getByLabel('User name').inputValue(), 'ada');
    assert.equal(await page.getByLabel('Age').inputValue(), 'thirty-six');
  });

  await check('the faulty input has a description of its fault', async () => {
    const age = page.getByLabel('Age');
    assert.equal(await age.getAttribute('aria-invalid'), 'true');
    const edges = await Promise.all(
      ['Age', 'User name'].map((label) =>
        page.getByLabel(label).evaluate((input) => getComputedStyle(input).borderColor),
      ),
    );
    assert.notEqual(edges[0], edges[1]);
    const messages = await age.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    );
    assert.deepEqual(messages, ['A whole number from 0', 'must be a whole number']);
  });

  await check('the service stores and shows the corrected member', async () => {
    await press('ControlOrMeta+A');
    await page.keyboard.type('36');
    await enter();
    member = new URL(page.url()).pathname;
    assert.match(member, /^\/members\/\d+$/);
    assert.equal(await page.getByText('36', { exact: true }).count(), 1);
  });

  await check('the edit form changes the member', async () => {
    await tabTo(page, 'Edit');
    await enter();
    await write('Name', 'Ada Byron');
    await enter();
    assert.equal(new URL(page.url()).pathname, member);
    assert.equal(await page.getByRole('heading', { name: 'Ada Byron', exact: true }).count(), 1);
  });

  await check('the delete form deletes the member after the confirmation', async () => {
    await tabTo(page, 'Delete');
    await enter();
    assert.equal((await service.client('GET', member)).status, 200);
    await tabTo(page, 'Delete Ada Byron');
    await enter();
    assert.equal(new URL(page.url()).pathname, '/members');
    assert.equal((await service.client('GET', member)).status, 404);
    assert.deepEqual(faults, []);
  });

  await check('keys search, move between rows, tick them, and show their help', async () => {
    for (const name of ['one', 'two']) await service.create('/products', { name: `key ${name}`, price: 5 });
    await page.goto('/products?name.words=key');
    await press('/');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'search');
    await press('Escape');
    await page.locator('h1').click();
    for (const key of ['j', 'j', 'x']) await press(key);
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'key two');
    assert.equal(await page.getByRole('checkbox', { name: 'Row 2' }).isChecked(), true);
    await press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await press('Escape');
    await press('n');
    await page.waitForURL(/\/products\/new$/);
    assert.deepEqual(faults, []);
  });

  await check('a person saves filters, follows them, and forgets them', async () => {
    await page.goto('/products?name.words=key&sort=-id&price.gte=4');
    await tabTo(page, 'Save these filters');
    await press('Enter');
    assert.equal(await focused(page), 'Forget these filters');
    await page.goto('/products?sort=-id');
    await tabTo(page, 'Name contains key, Price at least 4');
    await enter();
    assert.equal(new URL(page.url()).search, '?name.words=key&sort=-id&price.gte=4');
    await judged(page, 'products-saved');
    await tabTo(page, 'Forget these filters');
    await press('Enter');
    await page.goto('/products?sort=-id');
    assert.equal(await page.locator('.saved').count(), 0);
    assert.deepEqual(faults, []);
  });
  await close();
}

/** The label of the focused element, or its text if it has no label. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLInputElement | null;
    const label = element?.labels?.[0]?.firstChild?.textContent;
    return (label ?? element?.textContent ?? '').trim();
  });

/**
 * Presses Tab until the element with this label or text has the focus. @throws if Tab never reaches it
 */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let stop = 0; stop < STOPS; stop += 1) {
    if ((await focused(page)) === text) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reaches ${text}`);
}
