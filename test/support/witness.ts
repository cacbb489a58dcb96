import { afterEach, beforeAll, expect } from '@jest/globals';
import type { Answer } from './client/client.ts';
import { expectProblem } from './client/problem.ts';
import { type Created, create, get, send, unique } from './service/under-test.ts';

export const JSON_TYPE = { 'Content-Type': 'application/json' };

let member: Created | undefined;
let file: string;
let fileTag: string | undefined;

/** A member that no request may change. */
export function witness(): Created {
  if (!member) throw new Error('Nothing has been created yet');
  return member;
}

/** After each test of the file, checks that the data is unchanged and the service alive. */
export function watch(): void {
  beforeAll(async () => {
    member = await create('/members', { name: unique('witness'), list: [1] });
    file = `/files/${unique('witness')}`;
    fileTag = (await send('PUT', file, { body: 'witness' })).headers.etag;
  });
  afterEach(async () => {
    const { path, answer } = witness();
    expect((await get(path)).json()).toEqual(answer.json());
    expect((await send('HEAD', file)).headers.etag).toBe(fileTag);
    expect((await get('/health')).status).toBe(200);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
}

/** Creates a member with exactly these bytes. */
export const post = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE): Promise<Answer> =>
  send('POST', '/members', { body, headers });

/** Checks that POST, PUT and both PATCHes refuse the body with one of these statuses. */
export async function expectRefusedEverywhere(body: string | Buffer, ...statuses: number[]): Promise<void> {
  for (const [method, path, type] of [
    ['POST', '/members', 'application/json'],
    ['PUT', witness().path, 'application/json'],
    ['PATCH', witness().path, 'application/merge-patch+json'],
    ['PATCH', witness().path, 'application/json-patch+json'],
    ['POST', '/orders', 'application/json'],
  ] as const) {
    const answer = await send(method, path, { body, headers: { 'Content-Type': type } });
    expect({ method, type, status: answer.status }).toEqual({ method, type, status: expect.any(Number) });
    expect(statuses).toContain(answer.status);
    expectProblem(answer, answer.status);
  }
}
