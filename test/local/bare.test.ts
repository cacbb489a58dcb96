import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, clientOf } from '../support/client/client.ts';
import { ended } from '../support/client/operation.ts';
import { command } from '../support/service/command.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

/* A service whose package.json says that it has no files and no pages. */
let place: Awaited<ReturnType<typeof temporary>>;
let service: Run;
let send: Client;

beforeAll(async () => {
  place = await temporary();
  service = await run({ directory: place.directory, environment: withFixture('bare') });
  send = clientOf(service.url as string);
}, 40_000);

afterAll(async () => {
  await service.stop();
  await place.remove();
});

test('a service without files starts, and serves its own resource', async () => {
  const created = await send('POST', '/notes', { json: { name: 'one' } });
  expect(created.status).toBe(201);
  expect((await send('GET', created.headers.location as string)).json()).toMatchObject({ name: 'one' });
});

test('it has no path of files or of upload links', async () => {
  expect((await send('GET', '/files')).status).toBe(404);
  expect((await send('POST', '/operations/1/links')).status).toBe(404);
  const { paths } = (await send('GET', '/openapi.json')).json();
  expect(Object.keys(paths as object).filter((path) => /file|links/.test(path))).toEqual([]);
  expect((await send('GET', '/')).text).not.toContain('files');
});

test('its stylesheet has the color of its brand, and its icon is its logo', async () => {
  expect((await send('GET', '/assets/pages.css')).text).toMatch(/:root \{ --brand: #0a6b4f; \}\n$/);
  expect((await send('GET', '/assets/icon.svg')).text).toContain('<circle r="1"/>');
});

test('it has no pages, no forms and no sign-in', async () => {
  const { headers } = await send('POST', '/notes', { json: { name: 'two' } });
  const Accept = 'text/html';
  const refused = await send('GET', '/notes', { headers: { Accept } });
  expect([refused.status, refused.headers['content-type']]).toEqual([406, 'application/problem+json']);
  const browser = { Accept: 'text/html,*/*;q=0.8' };
  const shown = await send('GET', headers.location as string, { headers: browser });
  expect(shown.json()).toMatchObject({ name: 'two' });
  for (const path of ['/notes/new', `${headers.location}/edit`, '/sign-in'])
    expect((await send('GET', path, { headers: browser })).status).toBe(404);
  const form = { body: 'name=three', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
  expect((await send('POST', '/notes', form)).status).toBe(415);
  const description = (await send('GET', '/openapi.json')).json();
  expect(Object.keys(description.paths as object).filter((path) => /new|edit|sign/.test(path))).toEqual([]);
  expect((await send('GET', '/')).text).not.toContain('new-note');
});

test('the smoke test skips its checks of files', async () => {
  const smoke = join(import.meta.dirname, '../../tools/main.ts');
  const { log } = await command(process.execPath, [
    smoke,
    'smoke',
    service.url as string,
    '--items',
    '/notes',
  ]);
  expect(log).toMatch(/ 0 wrong, /);
  expect(log).toContain('The service has no files');
}, 60_000);

test('its operations run', async () => {
  const accepted = await send('DELETE', '/notes', { headers: { Prefer: 'respond-async' } });
  expect((await ended(accepted, send)).json()).toMatchObject({ status: 'Succeeded' });
}, 40_000);

test('with --auth, the printed command asks for scopes that the service has', async () => {
  const { directory, remove } = await temporary();
  const closed = await run({ directory, args: ['--auth'], environment: withFixture('bare') });
  await closed.stop();
  await remove();
  const [, asked = ''] = /'scope=([^']+)'/.exec(closed.output()) ?? [];
  const [, all = ''] = /Scopes: (.+)/.exec(closed.output()) ?? [];
  expect(asked).not.toBe('');
  expect(all.split(' ')).toEqual(expect.arrayContaining(asked.split(' ')));
}, 40_000);
