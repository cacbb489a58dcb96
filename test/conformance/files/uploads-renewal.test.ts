import { describe, expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import {
  announce,
  completeParts,
  endedUpload,
  linksIn,
  sendParts,
  toStorage,
  type UploadLinks,
} from '../../support/client/uploads.ts';
import { atLeastOne } from '../../support/expectations/at-least-one.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MIB = 1024 * 1024;
const HOUR = 3_600_000;

const linkOf = async (location: string) =>
  ((await get(location)).json().links as readonly { rel: string; href: string }[]).find(
    ({ rel }) => rel === 'renew',
  );

// Specification 5.15
describe('new upload links', () => {
  test('are for the files that have not arrived, and work', async () => {
    const [first, second, third] = [unique('first'), unique('second'), unique('third')];
    const size = 64 * MIB + 1;
    const answer = await announce([
      { filename: first, size: 1 },
      { filename: second, size: 2, contentType: 'text/plain' },
      { filename: third, size },
    ]);
    const { location = '' } = answer.headers;
    const before = linksIn(answer);
    expect((await toStorage(before[0] as UploadLinks, 'x')).status).toBe(200);
    await sendParts(
      { ...(before[2] as UploadLinks), parts: before[2]?.parts.slice(0, 3) ?? [] },
      Buffer.alloc(size),
    );
    while (!JSON.stringify((await get(location)).json().progress).includes('"done":1'));

    const link = await linkOf(location);
    expect(link).toEqual({ rel: 'renew', href: `${location}/links`, method: 'POST' });
    const renewed = await send('POST', link?.href ?? '');
    expect([renewed.status, renewed.headers.location, renewed.headers['cache-control']]).toEqual([
      202,
      location,
      'no-store',
    ]);
    const { uploads: _links, ...operation } = renewed.json();
    expect(operation).toEqual((await get(location)).json());
    const after = linksIn(renewed);
    expect(after.map(({ filename }) => filename)).toEqual([second, third]);
    for (const { expiresAt } of atLeastOne(after)) {
      const left = Date.parse(expiresAt) - Date.now();
      expect(left).toBeGreaterThan(HOUR - 60_000);
      expect(left).toBeLessThanOrEqual(HOUR);
    }
    expect(after[1]?.parts).toHaveLength(before[2]?.parts.length ?? 0);

    expect((await toStorage(after[0] as UploadLinks, 'xy')).status).toBe(200);
    await sendParts(after[1] as UploadLinks, Buffer.alloc(size));
    expect((await completeParts(after[1] as UploadLinks)).status).toBe(200);
    expect((await endedUpload(location)).operation).toMatchObject({
      status: 'Succeeded',
      progress: { done: 3 },
    });
  }, 60_000);

  test('are for all files of a manifest that is too long for the record of its operation', async () => {
    const prefix = unique('many');
    const answer = await announce(
      Array.from({ length: 100 }, (_, at) => ({ filename: `${prefix}-${at}`, size: 1 })),
    );
    const { location = '' } = answer.headers;
    const renewed = linksIn(await send('POST', `${location}/links`));
    const named = (links: readonly UploadLinks[]) =>
      links.map(({ filename, href }) => [filename, href.split('?')[0]]);
    expect(named(renewed)).toEqual(named(linksIn(answer)));
    await send('DELETE', location);
  }, 60_000);

  test('are available in XML', async () => {
    const { headers } = await announce({ filename: unique('xml'), size: 1 });
    const renewed = await send('POST', `${headers.location}/links`, {
      headers: { Accept: 'application/xml' },
    });
    expect([renewed.status, renewed.headers['content-type']]).toEqual([202, 'application/xml']);
    expect(renewed.text).toMatch(/<uploads><item><filename>/);
    await send('DELETE', headers.location as string);
  });

  test('do not exist after the end of the operation', async () => {
    const { headers } = await announce({ filename: unique('canceled'), size: 1 });
    const { location = '' } = headers;
    await send('DELETE', location);
    await endedUpload(location);
    expect(await linkOf(location)).toBeUndefined();
    const answer = await send('POST', `${location}/links`);
    expectProblem(answer, 409, 'operation-finished');
    expect(answer.json()).toMatchObject({ currentStatus: 'Canceled' });
  });

  test('exist only for uploads', async () => {
    const headers = { Prefer: 'respond-async' };
    const { location } = (await send('POST', '/members', { json: { name: 'Ada' }, headers })).headers;
    expectProblem(await send('POST', `${location}/links`), 404);
    expectProblem(await send('POST', '/operations/1/links'), 404);
  });

  test('need POST', async () => {
    const { headers } = await announce({ filename: unique('get'), size: 1 });
    const answer = await get(`${headers.location}/links`);
    expectProblem(answer, 405);
    expect(answer.headers.allow).toBe('POST, OPTIONS');
    await send('DELETE', headers.location as string);
  });

  test('are a template in the home document', async () => {
    expect((await get('/')).json().links).toContainEqual(
      expect.objectContaining({
        rel: 'renew',
        href: '/operations/{id}/links',
        method: 'POST',
        templated: true,
      }),
    );
  });
});
