import { expect, test } from '@jest/globals';
import { answerBrowser } from '../../pages/browser/answer-browser.ts';
import { registry } from '../../service/registry.ts';
import { testTime } from '../support/clock.ts';
import { attachedBetween } from './fault-injection.ts';
import { ask, later, workAll } from './world.ts';

/** Pages of a service behind a base path, such as the stage of a deployment. */
attachedBetween();

const BASE = '/v1';

/** The addresses of links, buttons, images and forms in a page. */
const addressesIn = (page: string): string[] =>
  [...page.matchAll(/\s(?:href|src|action|formaction)=(?:"([^"#][^"]*)"|([^\s">]+))/g)].map(
    ([, quoted, bare]) => quoted ?? bare ?? '',
  );

test('each address on each page begins with the base path', async () => {
  const created = async (path: string, json: object) =>
    String((await ask('POST', path, { json })).headers.Location?.split('/').at(-1));
  const ids: Record<string, string> = {
    members: await created('/members', { name: 'a' }),
    customers: await created('/customers', { name: 'a' }),
    products: await created('/products', { name: 'a', price: 1 }),
    orders: await created('/orders', { productId: 1, orderValue: 1 }),
    operations: String(await later('POST', '/members', { json: { name: 'b' } })),
  };
  await ask('PUT', `/members/${ids.members}`, { json: { name: 'b' } });
  await workAll();
  const pages = registry.flatMap((resource) =>
    resource.routes
      .filter(({ endpoints: { GET } }) => GET !== undefined && GET.shape !== 'bytes')
      .map(({ path: template }) => ({ resource, template })),
  );
  const outside: object[] = [];
  const shown = new Set<string>();
  for (const { resource, template } of pages) {
    const parameters: Record<string, string> = {
      id: ids[template.split('/')[1] ?? ''] ?? '1',
      version: '1',
      type: 'not-found',
    };
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '1');
    const { status, headers, body } = await answerBrowser(resource, {
      method: 'GET',
      template,
      path,
      parameters,
      query: new Map(),
      headers: { accept: 'text/html' },
      content: () => undefined,
      basePath: BASE,
      requestId: 'page',
      receivedAt: testTime(),
    });
    if (!headers['Content-Type']?.startsWith('text/html')) continue;
    if (status === 200) shown.add(template);
    const wrong = addressesIn(String(body)).filter(
      (one) => one.startsWith('/') && !/^\/v1(?:[/?]|$)/.test(one),
    );
    if (wrong.length > 0) outside.push({ path, wrong });
  }
  expect(shown.size).toBeGreaterThan(30);
  expect(outside).toEqual([]);
});
