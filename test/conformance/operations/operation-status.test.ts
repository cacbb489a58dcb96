import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { ended, operationOf } from '../../support/client/operation.ts';
import { BROWSER, formOf, formsOf, headingOf, urlencoded } from '../../support/client/page.ts';
import { endedUpload } from '../../support/client/uploads.ts';
import { create, get, send, underTest, unique } from '../../support/service/under-test.ts';

/** Status of operations. Source: Specification 7.5 to 7.11. */
underTest();

const LATER = { Prefer: 'respond-async' };
const later = (method: string, path: string, json?: unknown): Promise<Answer> =>
  send(method, path, { json, headers: LATER });

/** Paths of three operations: one created an item, one changed an item, one failed. */
const paths = { created: '', changed: '', failed: '' };
let member = '';

beforeAll(async () => {
  // More elements than the service checks before it accepts a request.
  const unknown = Array.from({ length: 101 }, (_, id) => ({ id, name: 'x' }));
  ({ path: member } = await create('/members', { name: 'x' }));
  const accepted = {
    created: await later('POST', '/members', { name: 'x' }),
    changed: await later('PUT', member, { name: 'y' }),
    failed: await later('PUT', '/customers', unknown),
  };
  for (const name of Object.keys(paths) as (keyof typeof paths)[]) {
    await ended(accepted[name]);
    paths[name] = accepted[name].headers.location as string;
  }
});

describe('a finished operation', () => {
  test.each(['changed', 'failed'] as const)(
    'that created nothing (%s) is readable like any other item',
    async (name) => {
      const answer = await get(paths[name]);
      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        etag: expect.stringMatching(/^"/),
        'cache-control': 'no-store',
      });
      expect(answer.headers['retry-after']).toBeUndefined();
      const again = await get(paths[name], { 'If-None-Match': answer.headers.etag });
      expect([again.status, again.headers.etag]).toEqual([304, answer.headers.etag]);
      expect((await get(paths[name], { 'If-Match': '"other"' })).status).toBe(412);
      expect((await get(paths[name])).text).toBe(answer.text);
    },
  );

  test('that created an item redirects there every time, whatever the precondition', async () => {
    const first = await get(paths.created);
    for (const headers of [
      {},
      { 'If-None-Match': '*' },
      { 'If-None-Match': first.headers.etag },
      { 'If-Match': '"other"' },
    ]) {
      const answer = await get(paths.created, headers);
      expect([answer.status, answer.headers.location, answer.text]).toEqual([
        303,
        first.headers.location,
        first.text,
      ]);
    }
    expect(operationOf(first).status).toBe('Succeeded');
    expect((await get(first.headers.location as string)).status).toBe(200);
  });

  test('redirects even after a client has deleted the item', async () => {
    const status = await ended(await later('POST', '/members', { name: 'x' }));
    const { location = '' } = status.headers;
    await send('DELETE', location);
    const again = await get(`/operations/${operationOf(status).operationId}`);
    expect([again.status, again.headers.location]).toEqual([303, location]);
  });

  test('gets the header fields of GET without content by HEAD', async () => {
    for (const path of Object.values(paths)) {
      const [full, head] = [await get(path), await send('HEAD', path)];
      expect([head.status, head.text]).toEqual([full.status, '']);
      for (const name of ['etag', 'location', 'content-type', 'content-length', 'cache-control'])
        expect([name, head.headers[name]]).toEqual([name, full.headers[name]]);
    }
  });

  test('is available as XML', async () => {
    const { status, text, headers } = await get(paths.failed, { Accept: 'application/xml' });
    expect([status, headers['content-type']]).toEqual([200, 'application/xml']);
    expect(text).toMatch(
      /<operation>.*<status>Failed<\/status>.*<error>.*<type>\/problems\/conflict<\/type>/s,
    );
    const created = await get(paths.created, { Accept: 'application/xml' });
    expect([created.status, created.headers.location]).toEqual([
      303,
      (await get(paths.created)).headers.location,
    ]);
  });

  test('responds without a wait', async () => {
    const { status, headers } = await get(paths.changed, { Prefer: 'wait=20' });
    expect([status, headers['preference-applied']]).toEqual([200, 'wait=20']);
    expect((await get(paths.changed, { Prefer: 'wait=soon' })).headers['preference-applied']).toBeUndefined();
  });

  test('has its properties in this order', async () => {
    expect(Object.keys((await get(paths.changed)).json())).toEqual([
      'operationId',
      'kind',
      'status',
      'startedAt',
      'completedAt',
      'percentComplete',
      'progress',
      'result',
      'expiresAt',
      'createdAt',
      'updatedAt',
      'links',
    ]);
    expect((await get(`${paths.changed}?fields=status,result`)).json()).toMatchObject({
      status: 'Succeeded',
      result: { status: 200 },
    });
  });

  test('cannot be canceled and has no cancel link', async () => {
    for (const path of Object.values(paths)) {
      const { links, status } = (await get(path)).json();
      expect(links.map(({ rel }) => rel)).not.toContain('cancel');
      const answer = await send('DELETE', path);
      expect([answer.status, answer.json()]).toMatchObject([
        409,
        { type: '/problems/operation-finished', currentStatus: status },
      ]);
      // Specification 3.3
      expect((await send('DELETE', path, { headers: { 'If-Match': '"other"' } })).status).toBe(409);
    }
  });
});

describe('a running operation', () => {
  const many = Array.from({ length: 1000 }, (_, at) => ({ name: `many ${at}` }));

  test('is readable and cancelable, and its result reports its work', async () => {
    const before = (await get('/customers?limit=1', { Prefer: 'count=exact' })).json().total as number;
    const accepted = await send('POST', '/customers', { json: many, headers: LATER });
    const { location = '', 'retry-after': wait } = accepted.headers;
    expect(Number(wait)).toBeGreaterThan(0);
    const canceled = await send('DELETE', location);
    const { status, progress } = operationOf(await ended(accepted));
    const { done } = progress as { done: number };
    // Specification 7.10: before the start, during the work, and after the end.
    const ends: Record<number, readonly string[]> = {
      204: ['Canceled after 0'],
      202: [`Canceled after ${Math.min(done, 999)}`, 'Succeeded after 1000'],
      409: ['Succeeded after 1000'],
    };
    expect(ends[canceled.status]).toContain(`${status} after ${done}`);
    expect((await get('/customers?limit=1', { Prefer: 'count=exact' })).json().total).toBe(before + done);
  });

  // Specification 5.15, 7.10, 7.11
  test('that waits for an upload ends as Canceled after a cancellation', async () => {
    const json = [{ filename: unique('canceled'), size: 1 }];
    const accepted = await send('POST', '/files', { json });
    const path = accepted.headers.location as string;
    expect((await get(path)).json().links.map(({ rel }) => rel)).toContain('cancel');
    const canceled = await send('DELETE', path);
    expect([canceled.status, operationOf(canceled).status]).toEqual([202, 'Canceling']);
    const { operation } = await endedUpload(path);
    expect(operation).toMatchObject({ status: 'Canceled', completedAt: expect.any(String) });
    expect((await get(path)).json().links.map(({ rel }) => rel)).not.toContain('cancel');
  });
});

describe('the list of operations', () => {
  test("shows the caller's operations by status", async () => {
    const { items } = (await get('/operations?limit=1000')).json();
    expect(items.length).toBeGreaterThanOrEqual(3);
    for (const status of ['Succeeded', 'Failed', 'Canceled']) {
      const chosen = (await get(`/operations?status=${status}&limit=1000`)).json().items;
      expect(chosen.map(({ operationId }) => operationId)).toEqual(
        items.filter((one) => one.status === status).map(({ operationId }) => operationId),
      );
    }
  });

  test('has pages in both orders, with and without a filter', async () => {
    for (const query of ['status=Succeeded&limit=1', 'limit=2', 'limit=2&sort=-createdAt']) {
      const found: unknown[] = [];
      for (let path: string | undefined = `/operations?${query}`; path !== undefined; ) {
        const page = (await get(path)).json();
        found.push(...page.items.map(({ operationId }) => operationId));
        path = page.links.find(({ rel }) => rel === 'next')?.href;
      }
      const [choice = ''] = /status=\w+/.exec(query) ?? [];
      const order = query.includes('sort') ? '&sort=-createdAt' : '';
      const all = (await get(`/operations?limit=1000&${choice}${order}`)).json().items;
      expect(found).toEqual(all.map(({ operationId }) => operationId));
    }
  });

  test('refuses an unknown status', async () => {
    for (const query of ['status=Done', 'status=succeeded', 'status=', 'status=Failed&status=Done']) {
      const answer = await get(`/operations?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      expect(answer.json().errors.map(({ parameter }) => parameter)).toEqual(['status']);
    }
  });
});

describe('the methods of operations', () => {
  test.each([
    ['/operations', 'GET, HEAD, OPTIONS'],
    ['/operations/1', 'GET, HEAD, DELETE, OPTIONS'],
    ['/operations/1/delete', 'GET, HEAD, POST, OPTIONS'],
  ])('at %s are %s and no others', async (path, allow) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      if (allow.includes(method)) continue;
      const answer = await send(method, path, { json: {} });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, allow]);
    }
    const options = await send('OPTIONS', path);
    expect([options.status, options.headers.allow]).toEqual([204, allow]);
  });

  test('get 404 at an unknown number', async () => {
    for (const path of ['/operations/1', '/operations/1/delete', '/operations/x'])
      expect([path, (await get(path, { Accept: 'text/html' })).status]).toEqual([path, 404]);
    expect((await send('DELETE', '/operations/1')).status).toBe(404);
  });

  test('let scripts of other origins read Retry-After', async () => {
    const { headers } = await get('/operations', { Origin: 'http://localhost:5173' });
    expect(headers['access-control-expose-headers']).toMatch(/Location.*Retry-After.*Preference-Applied/);
  });
});

describe('the pages of operations', () => {
  const browse = (path: string) => get(path, BROWSER);

  test('list each operation with its progress', async () => {
    const { status, text } = await browse('/operations?limit=1000');
    expect([status, headingOf(text)]).toEqual([200, 'Operations']);
    for (const path of Object.values(paths)) expect(text).toContain(`href=${path}>`);
    expect(text).toContain('New members');
    expect(text).not.toMatch(/<code>\{|\[object|<script(?! src="\/assets\/)/);
  });

  test('describe the result of a finished operation and do not refresh', async () => {
    const { status, text, headers } = await browse(paths.changed);
    expect([status, headers.refresh]).toEqual([200, undefined]);
    expect(headingOf(text)).toBe('Change of members');
    expect(text).toMatch(/<progress[^>]* max="100" value="100"[^>]*>100 %<\/progress>/);
    expect(text).not.toMatch(/<code>\{|\[object|<script(?! src="\/assets\/)|Cancel/);
  });

  test('show the cause of a failure', async () => {
    const { text } = await browse(paths.failed);
    expect(text).toContain('This is not possible now');
    expect(text).toContain('href="/problems/conflict"');
    expect(text).not.toMatch(/<code>\{/);
  });

  test('show why single items failed, and where they are in the request', async () => {
    const accepted = await send('PUT', '/customers', {
      json: [{ id: 42, name: 'missing' }],
      headers: { Prefer: 'respond-async, handling=lenient' },
    });
    await ended(accepted);
    const { text } = await browse(accepted.headers.location as string);
    expect(text).toContain('<h2>Failures</h2>');
    expect(text).toMatch(/<li>This list has no customer 42\. .*<ul><li>Item 1, id: .*<\/li><\/ul><\/li>/);
    expect(text).not.toMatch(/Status code|<code>/);
  });

  // Specification 7.8
  test('show what a finished operation created, with a link to it', async () => {
    const { status, text, headers } = await browse(paths.created);
    expect([status, headers.location, headers.refresh]).toEqual([200, undefined, undefined]);
    const { location } = (await get(paths.created)).headers;
    expect(text).toContain(`<a class="button" href="${location}">Result: 1 created →</a>`);
  });

  test('of new uploads do not refresh, and can be canceled whatever their progress', async () => {
    const json = [{ filename: unique('late'), size: 1 }];
    const accepted = await send('POST', '/files', { json, headers: BROWSER });
    expect(accepted.status).toBe(202);
    expect(accepted.headers.refresh).toBeUndefined();
    expect(accepted.text).not.toContain('refreshes automatically');
    const path = accepted.headers.location as string;
    const { text } = await browse(`${path}/delete`);
    expect(headingOf(text)).toBe('Cancel upload of files?');
    expect(text).not.toMatch(/Delete|cannot be undone/);
    expect(formsOf(text)).toHaveLength(1);
    const { action, inputs } = formOf(text);
    expect(inputs.has(':if-match')).toBe(false);
    const headers = { ...BROWSER, 'Content-Type': 'application/x-www-form-urlencoded' };
    const sent = await send('POST', action, { body: urlencoded(inputs), headers });
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringMatching(/^\/operations/)]);
    expect((await get(path)).json()).toMatchObject({ status: expect.stringMatching(/^Cancel/) });
  });

  test('have no cancel form after the end', async () => {
    const { status, text } = await browse(`${paths.changed}/delete`);
    expect([status, headingOf(text)]).toEqual([409, 'The work has finished already']);
  });
});
