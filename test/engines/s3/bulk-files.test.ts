import { describe, expect, test } from '@jest/globals';
import { answer } from '../../../shared/flow/answer.ts';
import type { Request } from '../../../shared/http/request.ts';
import { attached, type Call, resourceOf } from '../attached.ts';

/** Calls to an engine that it does not respond to. */
let fails: (call: Call) => boolean = () => false;

const isObject = ({ headers }: Call) => headers['x-amz-target'] === undefined;

interface Result {
  readonly status: number;
  readonly href: string;
  readonly filename?: string;
  readonly problem?: { readonly type: string; readonly status: number; readonly instance: string };
}

describe('a bulk registration during engine failures', () => {
  const files = resourceOf('files');
  attached((call, pass) => {
    if (fails(call[0])) throw Object.assign(new Error('gone'), { name: 'TimeoutError' });
    return pass(...call);
  });

  const request = (more: Partial<Request>): Request => ({
    method: 'GET',
    template: '/files',
    path: '/files',
    parameters: {},
    query: new Map(),
    headers: {},
    content: () => undefined,
    basePath: '/v1',
    requestId: 'request',
    receivedAt: Date.now(),
    ...more,
  });

  async function post(names: readonly string[], handling = 'strict') {
    const body = names.map((filename) => ({ filename, content: 'eA==' }));
    const {
      status,
      headers,
      body: text,
    } = await answer(
      files,
      request({
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: `handling=${handling}` },
        content: () => Buffer.from(JSON.stringify(body)),
      }),
    );
    return { status, headers, items: (JSON.parse(String(text)) as { items: readonly Result[] }).items };
  }

  const listed = async () => {
    const { body } = await answer(files, request({}));
    const { items } = JSON.parse(String(body)) as { items: readonly { filename: string }[] };
    return items.map(({ filename }) => filename);
  };

  test('has addresses with the stage', async () => {
    const one = await post(['stage']);
    expect([one.status, one.headers.Location]).toEqual([201, '/v1/files/stage']);
    const several = await post(['stage', 'stage 1']);
    expect([several.status, several.headers.Location]).toEqual([201, '/v1/files']);
    const { status, items } = await post(['stage', 'stage 2'], 'lenient');
    expect(status).toBe(207);
    expect(items.map((one) => [one.status, one.href])).toEqual([
      [200, '/v1/files/stage'],
      [201, '/v1/files/stage%202'],
    ]);
  });

  test('reports the failed file among the others', async () => {
    fails = (call) => isObject(call) && call.path.endsWith('/lost');
    const { status, items } = await post(['kept-1', 'lost', 'kept-2'], 'lenient');
    fails = () => false;
    expect(status).toBe(207);
    expect(items.map((one) => [one.status, one.href])).toEqual([
      [201, '/v1/files/kept-1'],
      [503, '/v1/files/lost'],
      [201, '/v1/files/kept-2'],
    ]);
    expect(items[1]?.problem).toMatchObject({
      type: '/v1/problems/unavailable',
      status: 503,
      instance: '/v1/files/lost',
    });
    expect(items[1]?.filename).toBeUndefined();
    expect(await listed()).toEqual(expect.arrayContaining(['kept-1', 'kept-2']));
    expect(await listed()).not.toContain('lost');
    expect((await post(['lost'])).status).toBe(201);
  });

  // Specification 5.20
  test('gets 503 if one file fails, and 201 when the client sends it again', async () => {
    fails = (call) => isObject(call) && call.path.endsWith('/absent');
    const { status, headers } = await post(['first', 'absent']);
    fails = () => false;
    expect([status, headers['Retry-After']]).toEqual([503, '1']);
    expect((await post(['first', 'absent'])).status).toBe(201);
    expect(await listed()).toEqual(expect.arrayContaining(['first', 'absent']));
  });

  test('writes a lost row at the next attempt', async () => {
    fails = (call) => !isObject(call) && Buffer.from(call.body as Uint8Array).includes('half');
    const { status, items } = await post(['whole', 'half'], 'lenient');
    fails = () => false;
    expect([status, items.map((one) => one.status)]).toEqual([207, [201, 503]]);
    await post(['half']);
    expect(await listed()).toEqual(expect.arrayContaining(['whole', 'half']));
  });

  test('gets 503 with Retry-After if no file could be stored', async () => {
    fails = isObject;
    const { status, headers } = await post(['none-1', 'none-2'], 'lenient');
    fails = () => false;
    expect([status, headers['Retry-After']]).toEqual([503, '1']);
  });
});
