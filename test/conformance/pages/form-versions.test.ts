import { describe, expect, test } from '@jest/globals';
import { BROWSER, formOf, formsOf, headingOf, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const browse = async (path: string) => (await get(path, BROWSER)).text;

/** Sends a form from a page, with some of its inputs filled in. */
function submit(page: string, filled: Readonly<Record<string, string>>) {
  const { action, inputs } = formOf(page);
  const body = urlencoded(
    [...inputs, ...Object.entries(filled)].filter(([name], at, all) => {
      return all.findLastIndex(([other]) => other === name) === at;
    }),
  );
  return send('POST', action, { body, headers: { ...BROWSER, ...FORM } });
}

const patch = (path: string, json: unknown) =>
  send('PATCH', path, { json, headers: { 'Content-Type': 'application/merge-patch+json' } });

// Specification 6.1, 3.2; RFC 9110 §13.1.1
describe('a form changes only the version that it shows', () => {
  test('the edit form answers 412 and shows both values', async () => {
    const { path } = await create('/members', { username: unique('ada'), email: 'old@a.example', age: 36 });
    const page = await browse(`${path}/edit`);
    expect((await patch(path, { email: 'new@a.example' })).status).toBe(200);

    const refused = await submit(page, { age: '37' });
    expect(refused.text).toMatch(/<a href="#input-email">E-mail differs<\/a>/);
    expect([refused.status, refused.headers['content-type']]).toEqual([412, 'text/html; charset=utf-8']);
    expect((await get(path)).json()).toMatchObject({ email: 'new@a.example', age: 36 });
    expect(headingOf(refused.text)).toMatch(/it has changed$/);
    const shown = formOf(refused.text).inputs;
    expect([shown.get('email'), shown.get('age')]).toEqual(['old@a.example', '37']);
    expect(refused.text).toContain('It is now: new@a.example');
    expect(refused.text).toContain('It is now: 36');

    const saved = await submit(refused.text, { ':take': 'email' });
    expect([saved.status, saved.headers.location]).toEqual([303, `${path}?:done=saved`]);
    expect((await get(path)).json()).toMatchObject({ email: 'new@a.example', age: 37 });
  });

  test('the edit form does not take the ends of lines that browsers send for a change', async () => {
    const { path } = await create('/customers', { name: 'a', address: 'Quay\nGalway' });
    const page = await browse(`${path}/edit`);
    expect((await patch(path, { email: 'a@b.example' })).status).toBe(200);
    const stale = await submit(page, { address: 'Quay\r\nGalway' });
    expect(stale.status).toBe(412);
    expect(stale.text).toContain('E-mail differs');
    expect(stale.text).not.toContain('Address differs');
  });

  test('the edit form keeps its version when a value is refused', async () => {
    const { path } = await create('/members', { username: unique('ada') });
    const page = await browse(`${path}/edit`);
    const refused = await submit(page, { age: 'old' });
    expect(refused.status).toBe(400);
    expect((await patch(path, { age: 1 })).status).toBe(200);
    expect((await submit(refused.text, { age: '2' })).status).toBe(412);
  });

  test('the delete form answers 412 and asks again', async () => {
    const { path } = await create('/customers', { name: 'Acme' });
    const page = await browse(`${path}/delete`);
    expect((await patch(path, { name: 'Acme Ltd' })).status).toBe(200);
    const refused = await submit(page, {});
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('Acme Ltd');
    expect((await get(path)).status).toBe(200);
    expect((await submit(refused.text, {})).status).toBe(303);
    expectProblem(await get(path), 404);
  });

  test('the delete form of a file answers 412 if the file has changed', async () => {
    const name = unique('file');
    const path = `/files/${name}`;
    await send('PUT', path, { body: 'first' });
    const confirmation = await browse(`${path}/delete`);
    await send('PUT', path, { body: 'second' });
    expect((await submit(confirmation, {})).status).toBe(412);
    expect((await get(path)).text).toBe('second');
    expect((await submit(await browse(`${path}/delete`), {})).status).toBe(303);
    expectProblem(await get(path), 404);
  });

  // Specification 6.11
  test('the button of a transition answers 412 and asks again', async () => {
    const { path } = await create('/orders', { productId: 1 });
    const page = await browse(path);
    const cancel = (html: string) => formsOf(html).find(({ action }) => action === `${path}/cancel`);
    const press = (html: string) =>
      send('POST', `${path}/cancel`, {
        body: urlencoded(cancel(html)?.inputs ?? []),
        headers: { ...BROWSER, ...FORM },
      });
    expect((await send('POST', `${path}/pay`)).status).toBe(200);
    const asked = await press(page);
    expect([asked.status, headingOf(asked.text)]).toEqual([412, 'Cancel order, 14.50 EUR, paid?']);
    expect(asked.text).toContain('The order has changed');
    expect(asked.text).toMatch(/<dt>Status<\/dt><dd><b[^>]*>paid</);
    expect((await get(path)).json().status).toBe('paid');
    expect((await press(asked.text)).status).toBe(303);
    expect((await get(path)).json().status).toBe('canceled');
  });

  test('the button of a transition that the new state does not allow is gone', async () => {
    const { path } = await create('/orders', { productId: 1 });
    const page = await browse(path);
    await send('POST', `${path}/cancel`);
    const asked = await submit(page, {});
    expect([asked.status, headingOf(asked.text)]).toEqual([409, 'Pay order, 14.50 EUR, canceled?']);
    expect(asked.text).toContain('Its present state does not allow this any more.');
    expect(formsOf(asked.text)).toEqual([]);
  });

  test('a second click on the button of a transition changes nothing and says the same', async () => {
    const { path } = await create('/orders', { productId: 1 });
    const page = await browse(path);
    const [first, second] = [await submit(page, {}), await submit(page, {})];
    expect([second.status, second.headers.location]).toEqual([303, first.headers.location]);
  });

  test('API clients can send the version as a header field, as an input or not at all', async () => {
    const { path, etag } = await create('/members', { username: unique('ada') });
    const edit = (body: string, more = {}) =>
      send('POST', `${path}/edit`, { body, headers: { ...FORM, ...more } });
    expect((await edit('age=1')).status).toBe(200);
    expectProblem(await edit('age=2', { 'If-Match': etag }), 412, 'precondition-failed');
    expectProblem(
      await edit(
        urlencoded([
          [':if-match', etag],
          ['age', '2'],
        ]),
      ),
      412,
      'precondition-failed',
    );
    expectProblem(
      await edit(
        urlencoded([
          [':if-match', 'x'],
          ['age', '2'],
        ]),
      ),
      400,
      'validation-error',
    );
    const { etag: now } = (await get(path)).headers;
    expect(
      (
        await edit(
          urlencoded([
            [':if-match', String(now)],
            ['age', '2'],
          ]),
        )
      ).status,
    ).toBe(200);
  });
});
