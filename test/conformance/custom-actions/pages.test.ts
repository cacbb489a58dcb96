import { describe, expect, test } from '@jest/globals';
import { BROWSER, formOf, formsOf, headingOf, urlencoded } from '../../support/client/page.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Custom actions on pages: a form for an action with a body, a button for one without (decision 67).
 */
const send = withOpened('custom-actions');
const HTML = { headers: BROWSER };
const FORM = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
const submit = (path: string, inputs: Iterable<readonly [string, string]>) =>
  send('POST', path, { body: urlencoded(inputs), headers: FORM });

async function invoice(): Promise<string> {
  const answer = await send('POST', '/invoices', { json: { amount: 10 } });
  return answer.headers.location as string;
}

describe('the form of a custom action', () => {
  test('is linked on the page of the item, and asks for the body alone', async () => {
    const path = await invoice();
    const { text } = await send('GET', path, HTML);
    expect(text).toContain(`<a class="button quiet" href="${path}/remind">Remind invoice</a>`);
    const page = await send('GET', `${path}/remind`, HTML);
    expect(headingOf(page.text)).toBe(`Remind invoice ${path.split('/').at(-1)}`);
    const { action, inputs } = formOf(page.text);
    expect(action).toBe(`${path}/remind`);
    expect([...inputs]).toEqual([
      [':idempotency-key', expect.any(String)],
      [':if-match', expect.any(String)],
      ['text', ''],
      ['due', ''],
      ['fee', ''],
      ['copies', '1'],
      ['tags', ''],
    ]);
    expect(page.text).toContain('<span class="required">(required)</span>');
  });

  test('leads to the item, which says that it is done', async () => {
    const path = await invoice();
    const { action, inputs } = formOf((await send('GET', `${path}/remind`, HTML)).text);
    const sent = await submit(action, new Map([...inputs, ['text', 'Please pay']]));
    expect([sent.status, sent.headers.location]).toEqual([303, `${path}?:done=remind`]);
    const { text } = await send('GET', sent.headers.location as string, HTML);
    expect(text).toContain('“Remind invoice” is done.');
    expect(text).toContain('Please pay');
  });

  test('comes back with the inputs and the messages after a refusal', async () => {
    const path = await invoice();
    const { action, inputs } = formOf((await send('GET', `${path}/remind`, HTML)).text);
    const answer = await submit(action, new Map([...inputs, ['copies', '9'], ['fee', '2.50']]));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('must be at most 3');
    expect(answer.text).toContain('fill this in');
    const again = formOf(answer.text);
    expect(again.action).toBe(`${path}/remind`);
    expect([again.inputs.get('copies'), again.inputs.get('fee')]).toEqual(['9', '2.50']);
    const done = await submit(again.action, new Map([...again.inputs, ['text', 'a'], ['copies', '2']]));
    expect(done.status).toBe(303);
  });

  test('comes back if the item has changed since, with the new version', async () => {
    const path = await invoice();
    const { action, inputs } = formOf((await send('GET', `${path}/remind`, HTML)).text);
    await send('PUT', path, { json: { amount: 11 } });
    const answer = await submit(action, new Map([...inputs, ['text', 'a']]));
    expect(answer.status).toBe(412);
    expect(answer.text).toContain('It has changed since you opened its page');
    expect((await submit(action, formOf(answer.text).inputs)).status).toBe(303);
  });

  test('is also a document for API clients', async () => {
    const path = await invoice();
    const answer = await send('GET', `${path}/remind`, { headers: { Accept: 'application/json' } });
    expect(answer.json()).toMatchObject({ method: 'POST', action: `${path}/remind` });
  });

  test('of a missing item gets 404', async () => {
    expect((await send('GET', '/invoices/1/remind', HTML)).status).toBe(404);
  });

  test('of a collection is linked on the page of the list, and leads to the new item', async () => {
    const { text } = await send('GET', '/invoices', HTML);
    expect(text).toContain('<a class="button quiet" href="/invoices/split">Split invoices</a>');
    const page = await send('GET', '/invoices/split', HTML);
    expect(headingOf(page.text)).toBe('Split invoices');
    const { action, inputs } = formOf(page.text);
    expect([...inputs.keys()]).toEqual([':idempotency-key', 'amount', 'parts', 'number']);
    const sent = await submit(action, new Map([...inputs, ['amount', '5'], ['parts', '1']]));
    expect(sent.status).toBe(303);
    expect(sent.headers.location).toMatch(/^\/invoices\/\d+\?:done=split$/);
  });
});

describe('the button of a custom action', () => {
  test('is on the page of the item, and leads back to it', async () => {
    const path = await invoice();
    const forms = formsOf((await send('GET', path, HTML)).text);
    const button = forms.find(({ action }) => action === `${path}/forgive`);
    expect(button).toBeDefined();
    const sent = await submit(`${path}/forgive`, button?.inputs ?? []);
    expect([sent.status, sent.headers.location]).toEqual([303, `${path}?:done=forgive`]);
    expect((await send('GET', sent.headers.location as string, HTML)).text).toContain(
      '“Forgive the reminders” is done.',
    );
  });

  test('of an action that removes the item leads to the list', async () => {
    const path = await invoice();
    const sent = await submit(`${path}/write-off`, []);
    expect([sent.status, sent.headers.location]).toEqual([303, '/invoices?sort=-id&:done=write-off']);
  });

  test('of a collection is on the page of the list', async () => {
    const forms = formsOf((await send('GET', '/invoices', HTML)).text);
    expect(forms.map(({ action }) => action)).toContain('/invoices/touch');
    expect((await submit('/invoices/touch', [])).headers.location).toBe('/invoices?sort=-id&:done=touch');
  });
});
