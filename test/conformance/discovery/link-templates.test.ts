import { describe, expect, test } from '@jest/globals';
import { customerWith } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { get, underTest } from '../../support/service/under-test.ts';

underTest();

/** The templates of a Link-Template field, and their relations. Source: RFC 9652 §2. */
const templatesOf = (field: string | undefined) =>
  [...(field ?? '').matchAll(/"([^"\\]*)"; rel="([a-z]+)"(?:, |$)/g)].map(([, template = '', rel]) => ({
    path: template.replace(/\{.*/, ''),
    names: (/\{\?(.*)\}$/.exec(template)?.[1] ?? '').split(','),
    rel,
  }));

// Specification 4.25
describe('Link-Template', () => {
  test('states the filters of a list', async () => {
    const { path } = await customerWith([{ orderValue: 5 }]);
    for (const list of ['/orders', path]) {
      const { headers } = await get(`${list}?limit=1`);
      const [template, ...more] = templatesOf(headers['link-template'] as string);
      expect(more).toEqual([]);
      expect(template).toMatchObject({ path: list, rel: 'search' });
      for (const name of [
        'id',
        'orderId',
        'status',
        'customerId',
        'minCost',
        'orderValue.gte',
        'createdAt.lt',
        'sort',
      ])
        expect(template?.names).toContain(name);
      expect(template?.names).not.toContain('orderValue.prefix');
    }
  });

  test('is the template of the list in the home document, and each filter has an effect', async () => {
    const { headers, json } = await get('/');
    expect(headers['link-template']).toBeUndefined();
    const { links } = json() as unknown as { links: readonly { href: string; template?: string }[] };
    const templates = links.flatMap(({ href, template }) =>
      template === undefined ? [] : [{ path: href, template }],
    );
    expect(templates.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/customers', '/files', '/members', '/operations', '/orders', '/products']),
    );
    for (const { path, template } of atLeastOne(templates)) {
      expect((await get(path)).headers['link-template']).toBe(`"${template}"; rel="search"`);
      const [{ names = [] } = {}] = templatesOf(`"${template}"; rel="search"`);
      expect(names.length).toBeGreaterThan(5);
      for (const name of names.filter((one) => one !== 'fields' && one !== 'expand')) {
        // A value that no number, time, direction or limit has.
        const answer = await get(`${path}?${name}=:`);
        const isText = [200, 400].includes(answer.status);
        expect({ path, name, isText }).toEqual({ path, name, isText: true });
        if (
          /At|[iI]d$|^age|^price|^size\.|Value|^limit|^order$|^sort$/.test(name) &&
          path !== '/products' &&
          path !== '/files'
        )
          expect({ path, name, status: answer.status }).toEqual({ path, name, status: 400 });
      }
    }
  }, 60_000);

  test('is on no item and on no other document', async () => {
    const { ids } = await customerWith([{}]);
    for (const path of [`/orders/${ids[0]}`, '/health', '/add?operand1=1&operand2=2'])
      expect((await get(path)).headers['link-template']).toBeUndefined();
  });
});
