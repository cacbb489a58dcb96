import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../support/client/client.ts';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { type Closed, clientAs, closed } from '../../support/service/closed.ts';
import { withOwners } from '../../support/service/owned.ts';
import { withFixture } from '../../support/service/with-fixture.ts';

// Specification 16.8
describe('versions of an item with an owner', () => {
  let service: Closed;
  let ada: Client;
  let bob: Client;

  beforeAll(async () => {
    service = await withOwners();
    ada = await clientAs(service, 'ada', 'notebooks:read notebooks:write audit:read');
    bob = await clientAs(service, 'bob', 'notebooks:read notebooks:write');
  }, 40_000);

  test('name their authors to callers with audit:read, and exist for no other owner', async () => {
    const made = await ada('POST', '/notebooks', { json: { title: 'a' } });
    const path = made.headers.location as string;
    expect((await ada('PUT', path, { json: { title: 'b' } })).status).toBe(200);
    const [entry] = (await ada('GET', `${path}/versions`)).json().items;
    expect(entry).toMatchObject({ version: 2, by: 'ada', changed: ['title'] });
    for (const hidden of [`${path}/versions`, `${path}/versions/1`])
      expectProblem(await bob('GET', hidden), 404);
    expectProblem(await bob('POST', `${path}/versions/1/restore`), 404);

    expect((await ada('DELETE', path)).status).toBe(204);
    const [gone, unknown] = [await bob('GET', path), await bob('GET', '/notebooks/123')];
    expect(gone.json().links).toEqual(unknown.json().links);
    expect(gone.headers.link).toEqual(unknown.headers.link);
    expectProblem(await bob('GET', `${path}/versions`), 404);
    const [last] = (await ada('GET', '/notebooks/removed')).json().items;
    expect(last).toMatchObject({ href: `${path}/versions/2`, by: 'ada', item: { title: 'b' } });
    expect((await bob('GET', '/notebooks/removed')).text).not.toContain(path);
    expectProblem(await bob('POST', `${path}/versions/2/restore`), 404);
    expect((await ada('POST', `${path}/versions/2/restore`)).status).toBe(201);
    expect((await ada('GET', path)).json()).toMatchObject({ title: 'b', createdBy: 'ada' });
    expectProblem(await bob('GET', path), 404);
  });

  // Specification 17.5
  test('show the changes of each owner to this owner alone', async () => {
    const since = new Date().toISOString();
    const of = (caller: string, scope = 'notebooks:read') =>
      clientAs(service, caller, `${scope} changes:read`);
    const subjectsOf = async (client: Client) => {
      const path = `/changes?since=${since}&type=notebook.created`;
      const page = await client('GET', path, { headers: { Prefer: 'wait=10' } });
      return page.json().items.map(({ subject }) => subject);
    };
    const made = async (writer: Client) =>
      (await writer('POST', '/notebooks', { json: { title: 'a' } })).headers.location;
    const [byAda, byBob] = [await made(ada), await made(bob)];
    for (const [caller, own, foreign] of [
      ['ada', byAda, byBob],
      ['bob', byBob, byAda],
    ] as const) {
      const reader = await of(caller);
      // Changes of the tests before can still arrive.
      const subjects = await eventually(async () => {
        const seen = await subjectsOf(reader);
        expect(seen).toContain(own);
        return seen;
      });
      expect(subjects).not.toContain(foreign);
    }
    const other = await of('ada', 'members:read');
    const none = (await other('GET', `/changes?since=${since}&resource=notebooks`)).json();
    expect(none.items).toEqual([]);
    // Specification 17.3: the link of a page without changes works too.
    const [next] = none.links;
    expect((await other('GET', next?.href ?? '')).json()).toEqual(none);
    expectProblem(await bob('GET', '/changes'), 403);
  });
});

// Specification 16.8
describe('versions of an item with fields for few callers', () => {
  let service: Closed;
  let ada: Client;
  let bob: Client;
  const paths = 'employees:read employees:write';

  beforeAll(async () => {
    service = await closed(withFixture('guarded'));
    ada = await clientAs(service, 'ada', `${paths} salaries:read salaries:write contacts:read`);
    bob = await clientAs(service, 'bob', paths);
  }, 40_000);

  test('show them to these callers alone, and a restoration by another caller leaves them', async () => {
    const began = new Date().toISOString();
    const made = await ada('POST', '/employees', {
      json: { name: 'Grace', salary: 7654, phone: '555 0199' },
    });
    const path = made.headers.location as string;
    const raised = { name: 'Hopper', salary: 8765, phone: '555 0200' };
    expect((await ada('PUT', path, { json: raised })).status).toBe(200);
    for (const hidden of [`${path}/versions`, `${path}/versions/1`])
      for (const Accept of ['application/json', 'application/xml', 'text/html'])
        expect((await bob('GET', hidden, { headers: { Accept } })).text).not.toMatch(
          /salary|bonus|phone|7654|555 0199/i,
        );
    const reader = await clientAs(service, 'bob', `${paths} changes:read`);
    const changes = await reader('GET', `/changes?type=employee.*&since=${began}`, {
      headers: { Prefer: 'wait=10' },
    });
    expect(changes.json().items).toMatchObject([{ subject: path, data: { name: 'Grace' } }, {}]);
    expect(changes.text).not.toMatch(/salary|bonus|phone|7654|555 0199/i);

    const [seen] = (await ada('GET', `${path}/versions`)).json().items;
    expect(seen).toMatchObject({ changed: ['bonus', 'name', 'phone', 'salary'] });

    expect((await bob('POST', `${path}/versions/1/restore`)).status).toBe(200);
    expect((await ada('GET', path)).json()).toMatchObject({ name: 'Grace', salary: 8765, phone: '555 0200' });
    expect((await ada('POST', `${path}/versions/1/restore`)).status).toBe(200);
    expect((await ada('GET', path)).json()).toMatchObject({ name: 'Grace', salary: 7654, bonus: 765 });

    expect((await ada('DELETE', path)).status).toBe(204);
    expect((await ada('GET', '/employees/removed')).json().items[0]?.item).toMatchObject({ salary: 7654 });
    for (const Accept of ['application/json', 'application/xml', 'text/html']) {
      const { text } = await bob('GET', '/employees/removed', { headers: { Accept } });
      expect(text).toContain('Grace');
      expect(text).not.toMatch(/salary|bonus|phone|7654|555 0199/i);
    }
  });
});
