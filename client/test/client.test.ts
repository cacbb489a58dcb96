import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { command } from '../../test/support/service/command.ts';
import { Conflict, client, dryRun, Problem, type Settings } from '../index.ts';

/** The types of a resource as `npx resource-api types` writes them. */
interface Service {
  tasks: {
    properties: { id: number; name: string; state: 'open' | 'closed' };
    sent: { name?: string | null };
    steps: 'close';
    actions: { remind: { text: string }; poke: undefined };
  };
}

const TASK = {
  name: 'Write',
  state: 'open',
  links: [
    { rel: 'self', href: '/v1/tasks/7' },
    { rel: 'close', href: '/v1/tasks/7/close', method: 'POST' },
    { rel: 'remind', href: '/v1/tasks/7/remind', method: 'POST' },
  ],
};

/** A client whose requests get these responses in their order, and the requests. */
function answering(...answers: readonly { readonly status?: number; readonly json: object }[]) {
  const sent: { method: string; url: string; headers: Headers; json: unknown }[] = [];
  const settings: Settings = {
    token: () => 'secret',
    fetch: async (url, { method = '', headers, body } = {}) => {
      sent.push({ method, url: String(url), headers: new Headers(headers), json: JSON.parse(String(body)) });
      const { status = 200, json } = answers[sent.length - 1] ?? { status: 500, json: {} };
      const fields = { 'Content-Type': 'application/json', ETag: '"1"' };
      return new Response(JSON.stringify(json), { status, headers: fields });
    },
  };
  return { api: client<Service>(SHOP, settings), sent, settings };
}

const SHOP = 'https://shop.example/v1/';

test('creates an item once, with the token of the settings, and calls the actions that it links', async () => {
  const { api, sent } = answering({ json: TASK }, { json: TASK }, { json: { ...TASK, state: 'closed' } });
  const task = await api.tasks.create({ name: 'Write' });
  const state: 'open' | 'closed' = task.state;
  expect({ state, id: task.id, etag: task.etag }).toEqual({ state: 'open', id: 7, etag: '"1"' });
  await task.actions.remind?.({ text: 'soon' });
  expect((await task.actions.close?.())?.state).toBe('closed');
  expect(task.actions.poke).toBeUndefined();
  expect(sent.map(({ method, url, json }) => [method, url, json])).toEqual([
    ['POST', 'https://shop.example/v1/tasks', { name: 'Write' }],
    ['POST', 'https://shop.example/v1/tasks/7/remind', { text: 'soon' }],
    ['POST', 'https://shop.example/v1/tasks/7/close', null],
  ]);
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer secret');
  // Specification 4.21
  expect(new Set(sent.map(({ headers }) => headers.get('prefer')))).toEqual(new Set(['handling=strict']));
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(3);
});

test('asks for totals by the names of fields, and gets their rows', async () => {
  const row = { state: 'open', count: 2, sum: { id: 9 } };
  const { api, sent } = answering({ json: { items: [row], by: ['state'] } });
  const [first] = await api.tasks.totals({ by: ['state'], sum: ['id'], name: 'Write' });
  const state: 'open' | 'closed' | undefined = first?.state;
  expect([state, first?.count, first?.sum?.id]).toEqual(['open', 2, 9]);
  expect(sent[0]?.url).toBe('https://shop.example/v1/tasks/totals?by=state&sum=id&name=Write');
});

test('undoes changes, and has the counts at the end', async () => {
  const result = { status: 200, restored: 2, removed: 1, unchanged: 0, skipped: [] };
  const { api, sent } = answering({ status: 202, json: {} }, { json: { status: 'Succeeded', result } });
  const operation = await api.changes.undo({ since: '2026-11-27T10:00:00Z', resources: ['tasks'] });
  expect(await operation.done()).toEqual(result);
  expect(sent[0]).toMatchObject({ method: 'POST', url: 'https://shop.example/v1/changes/undo' });
  expect(sent[0]?.headers.get('idempotency-key')).toMatch(/^"/);
});

test('changes an item on the condition that it has not changed, and shows both versions otherwise', async () => {
  const { api, sent } = answering(
    { json: TASK },
    { status: 412, json: {} },
    { json: { ...TASK, name: 'Read' } },
  );
  const task = await api.tasks.get(7);
  const refused = await task.patch({ name: 'Edit' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Conflict);
  expect(refused).toMatchObject({
    mine: { name: 'Edit' },
    theirs: { name: 'Read' },
    base: { name: 'Write' },
  });
  expect(sent[1]?.headers.get('if-match')).toBe('"1"');
});

test('changes an item of a list by the entity tag in its link, without a read', async () => {
  const [self, ...others] = TASK.links;
  const listed = { ...TASK, links: [{ ...self, etag: '"3.1-json"' }, ...others] };
  const { api, sent } = answering({ json: { items: [listed] } }, { json: TASK });
  for await (const task of api.tasks.list()) await task.patch({ name: 'Edit' });
  expect(sent.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
  expect(sent[1]?.headers.get('if-match')).toBe('"3.1-json"');
});

test('tries out the first write of some work, and reads before it', async () => {
  const plan = {
    status: 204,
    total: 1,
    effects: [{ resource: 'tasks', id: 7, change: 'removed' }],
  };
  const { sent, settings } = answering({ json: TASK }, { json: { dryRun: true, ...plan } });
  const removal = dryRun<Service>(async ({ tasks }) => (await tasks.get(7)).remove(), SHOP, settings);
  expect(await removal).toEqual(plan);
  expect(sent.map(({ method, headers }) => [method, headers.get('prefer')])).toEqual([
    ['GET', 'handling=strict'],
    ['DELETE', 'dry-run, handling=strict'],
  ]);
});

test('throws the problem of a refused request', async () => {
  const { api } = answering({ status: 400, json: { title: 'No', errors: [{ detail: 'is too long' }] } });
  const refused = await api.tasks.create({ name: 'x' }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(Problem);
  expect(refused).toMatchObject({ status: 400, title: 'No', errors: [{ detail: 'is too long' }] });
});

/** Bundles the client for browsers. The bundler does not run in the modules of jest. */
const BUNDLE = `
  import { rolldown } from 'rolldown';
  const build = await rolldown({ input: 'client/index.ts', platform: 'browser' });
  const { output: [{ code }] } = await build.generate({ format: 'esm', minify: true });
  process.stdout.write(code);`;

test('is a module of at most 5 KB', async () => {
  const args = ['--input-type=module', '--eval', BUNDLE];
  const { code, stdout, log } = await command(process.execPath, args, {
    cwd: join(import.meta.dirname, '../..'),
  });
  expect({ code, log: code === 0 ? '' : log }).toEqual({ code: 0, log: '' });
  expect(stdout.length).toBeGreaterThan(1000);
  expect(stdout.length).toBeLessThanOrEqual(5 * 1024);
  expect(stdout.toString()).not.toMatch(/node:|\bimport\b(?!:)/);
});
