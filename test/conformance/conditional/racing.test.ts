import { describe, expect, test } from '@jest/globals';
import { onAws } from '../../support/differences.ts';
import { type Created, create, get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

describe('exactly one of N concurrent conditional writes wins:', () => {
  const N = 12;
  const race = async (request: (at: number) => Promise<{ status: number }>) =>
    (await Promise.all(Array.from({ length: N }, (_, at) => request(at)))).map(({ status }) => status).sort();
  const statuses = (won: number) => [won, ...Array(N - 1).fill(412)].sort();
  const withTag = ({ etag }: Created, type = 'application/json') => ({
    'If-Match': etag,
    'Content-Type': type,
  });

  test('PUT of a member', async () => {
    const member = await create('/members', { name: unique('race') });
    const outcome = await race((at) =>
      send('PUT', member.path, { json: { name: `n${at}` }, headers: withTag(member) }),
    );
    expect(outcome).toEqual(statuses(200));
  });

  test('PATCH of a member', async () => {
    const member = await create('/members', { name: unique('race') });
    const headers = withTag(member, 'application/merge-patch+json');
    const outcome = await race((at) => send('PATCH', member.path, { json: { name: `n${at}` }, headers }));
    expect(outcome).toEqual(statuses(200));
  });

  test('PATCH of an order', async () => {
    const order = await create('/orders', { productId: 1, orderValue: 3 });
    const headers = withTag(order, 'application/merge-patch+json');
    const outcome = await race((at) => send('PATCH', order.path, { json: { quantity: at + 2 }, headers }));
    expect(outcome).toEqual(statuses(200));
  });

  // The losers get 404 (no member) or 412 (another state).
  test('DELETE of a member gets one 204', async () => {
    const member = await create('/members', { name: unique('race') });
    const outcome = await race(() => send('DELETE', member.path, { headers: { 'If-Match': member.etag } }));
    expect(outcome.filter((status) => status === 204)).toHaveLength(1);
    expect(outcome.filter((status) => ![204, 404, 412].includes(status))).toEqual([]);
  });

  test('DELETE without conditions gets one 204, and the others get 404', async () => {
    const member = await create('/members', { name: unique('race') });
    const outcome = await race(() => send('DELETE', member.path));
    expect(outcome).toEqual([204, ...Array(N - 1).fill(404)]);
  });

  test('PUT of a new file with If-None-Match: *', async () => {
    const path = `/files/${unique('race')}`;
    const bodies = Array.from({ length: N }, (_, at) => `body ${at}`);
    const answers = await Promise.all(
      bodies.map((body) => send('PUT', path, { body, headers: { 'If-None-Match': '*' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual(statuses(201));
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await get(path)).text).toBe(bodies[winner]);
  });

  onAws('a copy has conditions of its target')(
    'restoration of a removed file with If-None-Match: *',
    async () => {
      const path = `/files/${unique('race')}`;
      await send('PUT', path, { body: 'a' });
      const version = String((await get(`${path}/versions`)).json().items[0]?.version);
      await send('DELETE', path);
      const headers = { 'If-None-Match': '*' };
      const outcome = await race(() => send('POST', `${path}/versions/${version}/restore`, { headers }));
      expect(outcome).toEqual(statuses(201));
    },
  );

  // The requests begin one after the other, so that some look the member up before it exists again, and restore it later.
  test('restoration of a removed member with If-None-Match: *', async () => {
    const { path } = await create('/members', { name: unique('race') });
    await send('DELETE', path);
    const outcome = await race(async (at) => {
      await new Promise((later) => setTimeout(later, 2 * at));
      return send('POST', `${path}/versions/1/restore`, { headers: { 'If-None-Match': '*' } });
    });
    expect(outcome).toEqual(statuses(201));
  });

  test('PUT of a file with If-Match', async () => {
    const path = `/files/${unique('race')}`;
    const etag = (await send('PUT', path, { body: 'first' })).headers.etag as string;
    const outcome = await race((at) => send('PUT', path, { body: `b${at}`, headers: { 'If-Match': etag } }));
    expect(outcome).toEqual(statuses(200));
  });

  // A PATCH without a precondition is atomic too: every change that got 200 stays.
  test('concurrent PATCHes without conditions lose nothing', async () => {
    const member = await create('/members', { counters: {} });
    const answers = await Promise.all(
      Array.from({ length: N }, (_, at) =>
        send('PATCH', member.path, {
          json: [{ op: 'add', path: `/counters/n${at}`, value: at }],
          headers: { 'Content-Type': 'application/json-patch+json' },
        }),
      ),
    );
    const accepted = answers.flatMap(({ status }, at) => (status === 200 ? [`n${at}`] : []));
    expect(answers.filter(({ status }) => ![200, 409, 503].includes(status))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
    const { counters } = (await get(member.path)).json();
    expect(Object.keys(counters as object).sort()).toEqual(accepted.sort());
  });
});
