import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer, Client } from '../../support/client/client.ts';
import { linkOf } from '../../support/client/walk.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { clientAs, closedAlone } from '../../support/service/closed.ts';
import { create, get, underTestAlone } from '../../support/service/under-test.ts';

const isWaiting = ({ headers }: Answer) => headers['preference-applied'] !== undefined;

// Specification 7.4, 17.4
describe('more waiting requests than the service runs', () => {
  underTestAlone();

  test('stop no other request, and those without a place are answered at once', async () => {
    const { path } = await create('/members', { name: 'read' });
    const answers: Answer[] = [];
    const all = Array.from({ length: 230 }, async () => {
      answers.push(await get('/changes?since=2099-01-01T00:00:00Z', { Prefer: 'wait=10' }));
    });
    // At most a quarter of 200 waits.
    while (answers.length < 180) await new Promise((later) => setTimeout(later, 50));
    expect((await get(path)).status).toBe(200);
    expect(answers.filter(isWaiting)).toEqual([]);
    for (const { status, headers } of atLeastOne(answers)) {
      expect([200, 503]).toContain(status);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    await Promise.all(all);
    const waited = answers.filter(isWaiting);
    expect(waited.length).toBeGreaterThan(10);
    for (const { headers } of waited)
      expect([headers['preference-applied'], headers['retry-after']]).toEqual(['wait=10', undefined]);
  }, 60_000);
});

describe('a follower without a place', () => {
  let service: Awaited<ReturnType<typeof closedAlone>>;
  let ada: Client;
  let bob: Client;

  beforeAll(async () => {
    service = await closedAlone({ MAXIMUM_WAITS: '1' });
    ada = await clientAs(service, 'ada', 'changes:read');
    bob = await clientAs(service, 'bob', 'changes:read members:read members:write');
  }, 40_000);

  afterAll(() => service.stop());

  test('keeps its place in the changes and misses none', async () => {
    const begin = `/changes?since=${new Date().toISOString()}`;
    const Prefer = 'wait=8';
    const waiting = ada('GET', '/changes?since=2099-01-01T00:00:00Z', { headers: { Prefer } });
    let next: string | undefined = begin;
    let answer: Answer;
    // The wait of the other caller begins.
    do answer = await bob('GET', next, { headers: { Prefer: 'wait=1' } });
    while (isWaiting(answer));
    expect([answer.status, answer.json().items]).toEqual([200, []]);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    const names = ['a', 'b', 'c'];
    const seen: unknown[] = [];
    for (const name of names) {
      expect((await bob('POST', '/members', { json: { name } })).status).toBe(201);
      while (seen.length <= names.indexOf(name)) {
        next = linkOf(answer.json(), 'next') as string;
        answer = await bob('GET', next, { headers: { Prefer } });
        seen.push(...answer.json().items.map(({ data }) => (data as { name: string }).name));
      }
    }
    expect(seen).toEqual(names);
    expect(isWaiting(await waiting)).toBe(true);
  }, 60_000);
});
