import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { listed, put } from '../../support/client/files.ts';
import { expectProblem } from '../../support/client/problem.ts';
import type { UploadLinks } from '../../support/client/uploads.ts';
import {
  announce,
  completeParts,
  digestOf,
  endedUpload,
  linksIn,
  sendParts,
  toStorage,
} from '../../support/client/uploads.ts';
import { onAws } from '../../support/differences.ts';
import { get, send, underTest, unique } from '../../support/service/under-test.ts';

underTest();

const MIB = 1024 * 1024;
const pathOf = (name: string) => `/files/${encodeURIComponent(name)}`;
const pause = (ms: number) => new Promise((later) => setTimeout(later, ms));

/** A file's content, and its row in the listing. */
async function stateOf(name: string) {
  const { status, text, headers } = await get(pathOf(name));
  const row = await listed(name);
  return [status, text, headers.etag, headers['content-type'], row?.size, row?.updatedAt];
}
/** A file that exists before the test. */
async function existing() {
  const name = unique('target');
  await put(pathOf(name), 'the old one', { 'Content-Type': 'text/plain' });
  return { name, before: await stateOf(name) };
}
/** Waits until the worker has had time for all notifications. */
async function expectUnchanged(name: string, before: unknown): Promise<void> {
  for (let looks = 0; looks < 15; looks += 1) {
    expect(await stateOf(name)).toEqual(before);
    await pause(100);
  }
}
const only = (answer: Awaited<ReturnType<typeof announce>>): UploadLinks => linksIn(answer)[0] as UploadLinks;

// RFC 9110 §9.3.4: a failed PUT leaves its target as it was.
describe('an upload that does not succeed leaves its target as it was', () => {
  test('if the client cancels and then sends the bytes', async () => {
    const { name, before } = await existing();
    const answer = await announce({ filename: name, size: 3 });
    const { location = '' } = answer.headers;
    expect((await send('DELETE', location)).status).toBe(202);
    expect((await endedUpload(location)).operation.status).toBe('Canceled');
    expect((await toStorage(only(answer), 'new')).status).toBe(200);
    await expectUnchanged(name, before);
  });

  test('if the digest differs, and the service serves the old file all the time', async () => {
    const { name, before } = await existing();
    const large = randomBytes(64 * MIB + 1);
    const sent = { filename: name, size: large.length, digest: digestOf('other') };
    const answer = await announce(sent);
    await sendParts(only(answer), large);
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        expect(await stateOf(name)).toEqual(before);
        await pause(5);
      }
    })();
    try {
      expect((await completeParts(only(answer))).status).toBe(200);
      const { operation } = await endedUpload(answer.headers.location);
      expect(operation).toMatchObject({ status: 'Failed', error: { type: '/problems/validation-error' } });
    } finally {
      isOver = true;
      await watching;
    }
    await expectUnchanged(name, before);
  }, 60_000);

  test('if the client uses a link again after the operation has ended', async () => {
    const { name } = await existing();
    const answer = await announce({ filename: name, size: 3 });
    expect((await toStorage(only(answer), 'one')).status).toBe(200);
    expect((await endedUpload(answer.headers.location)).status).toBe(200);
    expect((await get(pathOf(name))).text).toBe('one');
    await put(pathOf(name), 'stored meanwhile', { 'Content-Type': 'text/plain' });
    const before = await stateOf(name);
    expect((await toStorage(only(answer), 'two')).status).toBe(200);
    await expectUnchanged(name, before);
  });

  test('if the client uses a link again while other files of the operation are pending', async () => {
    const [name, other] = [unique('again'), unique('other')];
    const answer = await announce([
      { filename: name, size: 3 },
      { filename: other, size: 1 },
    ]);
    const [link, last] = linksIn(answer) as [UploadLinks, UploadLinks];
    await toStorage(link, 'one');
    for (let looks = 0; looks < 100 && (await listed(name)) === undefined; looks += 1) await pause(50);
    await put(pathOf(name), 'stored meanwhile');
    // The service has counted the file by now, or counts it before it looks at the next event.
    for (let looks = 0; looks < 100; looks += 1) {
      const { progress } = (await get(answer.headers.location as string)).json();
      if ((progress as { done: number }).done === 1) break;
      await pause(50);
    }
    const before = await stateOf(name);
    await toStorage(link, 'two');
    await expectUnchanged(name, before);
    await toStorage(last, 'x');
    expect((await endedUpload(answer.headers.location)).operation).toMatchObject({
      status: 'Succeeded',
      progress: { done: 2, total: 2, failed: 0 },
    });
    expect(await stateOf(name)).toEqual(before);
  });
});

describe('the service evaluates the precondition when the file would appear', () => {
  const judged = onAws('a copy has conditions of its target');

  judged.each([
    ['If-None-Match', '*'],
    ['If-Match', 'the old one'],
  ])('and responds with 412 if %s no longer holds', async (field, value) => {
    const name = unique('lost');
    const old = value === '*' ? undefined : (await put(pathOf(name), value)).headers.etag;
    const answer = await announce({ filename: name, size: 3 }, { [field]: old ?? value });
    expect(answer.status).toBe(202);
    await put(pathOf(name), 'of another', { 'Content-Type': 'text/plain' });
    const before = await stateOf(name);
    expect((await toStorage(only(answer), 'new')).status).toBe(200);
    const { operation, status } = await endedUpload(answer.headers.location);
    expect(status).toBe(200);
    const failure = { type: '/problems/precondition-failed', status: 412 };
    expect(operation).toMatchObject({
      status: 'Failed',
      progress: { done: 0, total: 1, failed: 1 },
      error: { ...failure, failures: [{ href: pathOf(name), problem: failure }] },
    });
    await expectUnchanged(name, before);
  });

  judged('If-Match of a file that is gone: 412', async () => {
    const { name, before } = await existing();
    const answer = await announce({ filename: name, size: 3 }, { 'If-Match': before[2] as string });
    expect((await send('DELETE', pathOf(name))).status).toBe(204);
    expect((await toStorage(only(answer), 'new')).status).toBe(200);
    const { operation } = await endedUpload(answer.headers.location);
    expect(operation).toMatchObject({
      status: 'Failed',
      error: { type: '/problems/precondition-failed', status: 412 },
    });
    expectProblem(await get(pathOf(name)), 404);
  });
});
