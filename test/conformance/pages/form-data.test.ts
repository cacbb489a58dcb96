import { describe, expect, test } from '@jest/globals';
import type { Answer, Link } from '../../support/client/client.ts';
import { put } from '../../support/client/files.ts';
import { form } from '../../support/client/form.ts';
import { ended } from '../../support/client/operation.ts';
import { BROWSER, formOf, headingOf, numbered, urlencoded } from '../../support/client/page.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Forms in JSON and XML. Source: Specification 6.4. */
underTest();

const JSON_ONLY = { Accept: 'application/json' };
const XML_ONLY = { Accept: 'application/xml' };

/** A form as JSON shows it. */
interface FormData {
  readonly title: string;
  readonly method: string;
  readonly action: string;
  readonly enctype: string;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly type: string }[];
  readonly links: readonly Link[];
}

const formData = async (path: string): Promise<FormData> =>
  (await get(path, JSON_ONLY)).json() as unknown as FormData;
/** The inputs of a form without those for files, whose values only a person chooses. */
const inputsOf = ({ fields }: FormData) =>
  Object.fromEntries(fields.filter(({ type }) => type !== 'file').map(({ name, value }) => [name, value]));

const submit = (
  { action, enctype, ...others }: FormData,
  values: Readonly<Record<string, string>>,
): Promise<Answer> => {
  const inputs = Object.entries({ ...inputsOf({ action, enctype, ...others }), ...values });
  if (enctype === 'multipart/form-data')
    return send('POST', action, form(...inputs.map(([name, content]) => ({ name, content }))));
  return send('POST', action, { headers: { 'Content-Type': enctype }, body: urlencoded(inputs) });
};

const FILLED = [
  ['members', { username: 'ada', age: 36, note: 'own' }],
  ['customers', { name: 'Acme', address: '1 Quay' }],
  ['orders', { productId: 1, orderValue: 9.5 }],
  ['products', { name: 'Mug', price: 14.5 }],
] as const;

// Specification 6.4
describe.each(FILLED)('the forms of %s', (name, values) => {
  test('have the same inputs in JSON as on their pages', async () => {
    const { path } = await create(`/${name}`, values);
    for (const address of [`/${name}/new`, `${path}/edit`, `${path}/delete`]) {
      const [page, answer] = await Promise.all([get(address, BROWSER), get(address, JSON_ONLY)]);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers.etag).toBeUndefined();
      expect(answer.headers.vary).toContain('Accept');
      const data = answer.json() as unknown as FormData;
      const shown = formOf(page.text);
      expect(data).toMatchObject({
        title: headingOf(page.text),
        method: 'POST',
        action: shown.action,
        enctype: shown.enctype ?? 'application/x-www-form-urlencoded',
      });
      const own = { ':idempotency-key': expect.stringMatching(/./) };
      expect({ ...Object.fromEntries(numbered(shown.inputs)), ...own }).toEqual({
        ...inputsOf(data),
        ...own,
      });
      for (const field of atLeastOne(data.fields)) {
        expect(field).toMatchObject({ label: expect.stringMatching(/./), required: expect.any(Boolean) });
        expect(field.type === 'hidden').toBe(field.name.startsWith(':'));
      }
      const list = { rel: 'collection', href: `/${name}` };
      const item = { rel: 'about', href: path };
      expect(data.links).toMatchObject(address === `/${name}/new` ? [list] : [list, item]);
      for (const { href } of data.links) expect((await get(href)).status).toBe(200);
    }
  });

  test('create, change and delete an item without a page', async () => {
    const sent = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, String(value)]));
    const created = await submit(await formData(`/${name}/new`), sent);
    expect(created.status).toBe(201);
    const path = created.headers.location as string;
    const edit = await formData(`${path}/edit`);
    expect(inputsOf(edit)).toMatchObject({ ...sent, ':if-match': expect.stringMatching(/^".+"$/) });
    const changed = await submit(edit, { added: 'x' });
    expect([changed.status, changed.json()]).toMatchObject([200, { ...values, added: 'x' }]);
    // The form shows a version that is no longer current.
    expectProblem(await submit(edit, { added: 'y' }), 422);
    expectProblem(await submit(edit, { added: 'y', ':idempotency-key': unique('key') }), 412);
    expect((await submit(await formData(`${path}/delete`), {})).status).toBe(204);
    for (const kind of ['edit', 'delete']) expectProblem(await get(`${path}/${kind}`, JSON_ONLY), 404);
  });

  test('are XML for clients that name it', async () => {
    const { path } = await create(`/${name}`, values);
    for (const address of [`/${name}/new`, `${path}/edit`, `${path}/delete`]) {
      const answer = await get(address, XML_ONLY);
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/xml']);
      expect(answer.text).toMatch(
        /<form><title>[^<]+<\/title><method>POST<\/method><action>\/[^<]+<\/action>/,
      );
      expect(answer.text).toContain('<fields><item><name>:idempotency-key</name>');
    }
  });

  test.each([
    [undefined, 'text/html'],
    ['', 'text/html'],
    ['*/*', 'text/html'],
    ['text/html', 'text/html'],
    [BROWSER.Accept, 'text/html'],
    ['image/avif, */*;q=0.8', 'text/html'],
    ['text/*', 'text/html'],
    ['application/json', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/*', 'application/json'],
    ['text/html;q=0.5, application/xml', 'application/xml'],
    ['application/json;q=0.5, text/html', 'text/html'],
    ['text/xml', 'text/xml'],
  ])('Accept: %s gives %s', async (accept, type) => {
    const answer = await get(`/${name}/new`, { Accept: accept });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, expect.stringContaining(type)]);
  });
});

test('a field has a hint and says whether it is required', async () => {
  const { fields } = await formData('/orders/new?customerId=7');
  expect(fields).toContainEqual({
    name: 'productId',
    label: 'Product',
    type: 'text',
    required: true,
    value: '',
  });
  expect(fields).toContainEqual(expect.objectContaining({ name: 'customerId', value: '7' }));
  expect(fields).toContainEqual(
    expect.objectContaining({ name: 'quantity', value: '1', hint: 'A whole number from 1' }),
  );
});

test('the forms of files and operations are data too', async () => {
  const path = `/files/${unique('form')}`;
  await put(path, 'x');
  const form = await formData(`${path}/delete`);
  expect(form).toMatchObject({ title: expect.stringContaining('Delete'), action: `${path}/delete` });
  expect((await submit(form, {})).status).toBe(204);
  // This operation waits for the upload. The other one has ended.
  const waiting = await send('POST', '/files', { json: [{ filename: unique('form'), size: 1 }] });
  const action = `${waiting.headers.location}/delete`;
  expect(await formData(action)).toMatchObject({ title: expect.stringContaining('Cancel'), action });
  const headers = { Prefer: 'respond-async' };
  const accepted = await send('POST', '/members', { json: { name: 'x' }, headers });
  await ended(accepted);
  expectProblem(await get(`${accepted.headers.location}/delete`, JSON_ONLY), 409, 'operation-finished');
});

// Specification 6.2, 6.6
test('a refused form shows every value of a repeated input again', async () => {
  const body = 'age=x&tags=a&tags=b';
  const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
  const page = await send('POST', '/members/new', { body, headers });
  expect(page.status).toBe(400);
  expect(
    [...page.text.matchAll(/name="tags" type="text" value="([^"]*)"/g)].map(([, value]) => value),
  ).toEqual(['a', 'b']);
});
