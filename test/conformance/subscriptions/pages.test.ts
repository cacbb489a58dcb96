import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BROWSER, expectPagePolicy, formsOf, headingOf } from '../../support/client/page.ts';
import { eventually } from '../../support/eventually.ts';
import { clientAs, closed } from '../../support/service/closed.ts';
import { newService, type Service } from '../../support/service/service.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let service: Service;
beforeAll(async () => {
  [receiver, service] = [await startReceiver(), await newService()];
}, 40_000);
afterAll(async () => {
  await service.stop();
  await receiver.stop();
});

const open = (path: string) => service.client('GET', path, { headers: BROWSER });

/** Sends a form, with these inputs in place of its own. */
const submit = ({ action, inputs }: ReturnType<typeof formsOf>[number], more: Record<string, string> = {}) =>
  service.client('POST', action, {
    headers: { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ ...Object.fromEntries(inputs), ...more }).toString(),
  });

const formFor = (page: string, end: string) => {
  const form = formsOf(page).find(({ action }) => action.endsWith(end));
  if (!form) throw new Error(`The page has no form for ${end}`);
  return form;
};

// Specification 18.12
test('the page after the creation shows the secret, and the deliveries have buttons', async () => {
  const blank = formFor((await open('/subscriptions/new')).text, '/subscriptions/new');
  const made = await submit(blank, { url: `${receiver.url}/204/page`, types: 'product.*\norder.paid' });
  expect(made.status).toBe(201);
  expect(made.text).toMatch(/Copy the secret now: no other page and no later response has it/);
  expect(made.text).toMatch(/<code data-copy>whsec_[A-Za-z0-9+/]{43}=<\/code>/);
  expect(made.headers['cache-control']).toBe('no-store');

  const path = made.headers.location as string;
  const item = (await open(path)).text;
  expect(item).not.toMatch(/whsec_|Copy the secret/);
  expect(item).toContain(`href="${path}/deliveries"`);
  expect((await open('/subscriptions')).text).toContain(path);

  const empty = (await open(`${path}/deliveries`)).text;
  expect(empty).toContain('No deliveries in the last seven days');
  const tested = await submit(formFor(empty, '/test'));
  expect(tested).toMatchObject({ status: 303, headers: { location: `${path}/deliveries?:done=test` } });
  expect((await open(tested.headers.location as string)).text).toContain('“Send a test event” is done.');
  const list = await eventually(async () => {
    const { text } = await open(`${path}/deliveries`);
    expect(text).toContain('delivered: 204');
    return text;
  });
  expect((await submit(formFor(list, '/repeat'))).status).toBe(303);
  await eventually(async () => expect(receiver.at('/204/page')).toHaveLength(2));
  const { text: delivery, headers } = await open(/href="([^"]*\/deliveries\/\d+)"/.exec(list)?.[1] ?? '');
  expectPagePolicy(headers);
  expect(headingOf(list)).toBe(`Deliveries to ${receiver.url}/204/page`);
  expect([headingOf(delivery), delivery]).toEqual([
    `Delivery to ${receiver.url}/204/page`,
    expect.stringContaining(`<li><a href="${path}/deliveries">Deliveries</a></li>`),
  ]);
  expect(delivery).toContain('ping');

  const rotated = await submit(formFor(list, '/rotate'));
  expect([rotated.status, rotated.headers['cache-control']]).toEqual([200, 'no-store']);
  const [secret] = /whsec_[A-Za-z0-9+/]{43}=/.exec(rotated.text) ?? [];
  expect([secret, made.text.includes(String(secret))]).toEqual([expect.any(String), false]);
});

// Specification 6.2, 18.12
test('the form offers the events and the collections of the service, and ticked boxes are the types', async () => {
  const { text } = await open('/subscriptions/new');
  const blank = formFor(text, '/subscriptions/new');
  expect(text).toMatch(/<option>customers<\/option>.*<option>orders<\/option>/);
  for (const type of ['*', 'order.*', 'order.paid', 'customer.created', 'operation.failed'])
    expect(text).toContain(`<input type="checkbox" name="types" value="${type}">`);
  const send = (action: string, types: readonly string[]) =>
    service.client('POST', action, {
      headers: { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams([
        ...[...blank.inputs].filter(([name]) => ![':idempotency-key', 'url', 'types'].includes(name)),
        ['url', `${receiver.url}/204/ticks`],
        ...['', ...types].map((type): [string, string] => ['types', type]),
      ]).toString(),
    });
  const typesOf = async (path: string) => (await service.client('GET', path)).json().types;
  const { headers } = await send(blank.action, ['order.*', 'customer.created']);
  const path = headers.location as string;
  expect(await typesOf(path)).toEqual(['order.*', 'customer.created']);
  const edit = (await open(`${path}/edit`)).text;
  expect([...edit.matchAll(/value="([^"]*)" checked/g)].map(([, value]) => value)).toEqual([
    'customer.created',
    'order.*',
  ]);
  expect((await send(`${path}/edit`, ['order.paid'])).status).toBe(303);
  expect(await typesOf(path)).toEqual(['order.paid']);
  const refused = await send(`${path}/edit`, []);
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Types: fill this in')]);
});

// Specification 18.5, 18.12
test('the form offers no events that the person may not read', async () => {
  const ada = await clientAs(await closed(), 'ada', 'orders:read subscriptions:read subscriptions:write');
  const { text } = await ada('GET', '/subscriptions/new', { headers: BROWSER });
  const offered = [...text.matchAll(/name="types" value="([^"]+)"/g)].map(([, type]) => type?.split('.')[0]);
  expect(new Set(offered)).toEqual(new Set(['order', 'operation']));
});

// Specification 18.6
test('a form with a wrong URL comes back with the reason', async () => {
  const blank = formFor((await open('/subscriptions/new')).text, '/subscriptions/new');
  const refused = await submit(blank, { url: 'https://10.0.0.1/', types: '*' });
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('must lead to a public address');
});

test('a form with a wrong type of event says at its input which one', async () => {
  const blank = formFor((await open('/subscriptions/new')).text, '/subscriptions/new');
  const refused = await submit(blank, { url: `${receiver.url}/204/page`, types: 'order.paid\nnothing.*' });
  expect(refused.text).toContain(
    '<p class="error" id="input-types-error-0">Item 2: matches no event of the service</p>',
  );
  expect(refused.text).toContain('<a href="#input-types">Types, item 2: matches no event of the service</a>');
});
