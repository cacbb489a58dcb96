import { randomBytes } from 'node:crypto';
import { CreateMultipartUploadCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { unique } from '../../../../engines/test/clients.ts';
import { sweepStaged } from '../../../../local/provision/leftovers.ts';
import { s3 } from '../../../../shared/aws/clients/s3.ts';
import { configureLog } from '../../../../shared/aws/log.ts';
import type { ObjectCondition } from '../../../../shared/files/objects.ts';
import { publish } from '../../../../shared/files/uploads/publish.ts';
import type { EntityTag } from '../../../../shared/http/conditional/entity-tag.ts';
import { attributesOf } from '../../../../shared/operations/record/record.ts';
import type { FilesCall } from '../../../../shared/resource/actions/action.ts';
import type { Call } from '../../attached.ts';
import { collectLog } from '../../collected-log.ts';
import {
  announcedWith,
  arrive,
  cancelIt,
  isStaged,
  lookAfter,
  progressOf,
  sent,
  statusOf,
  upload,
} from './announced.ts';
import { isCopy, keepResponses, loseResponses, withEngines } from './lost-responses.ts';
import { mediaType, objects, rows, shown, staged, store, textOf } from './notifications.ts';

withEngines();

async function arriveBytes(operation: number, bytes: Buffer): Promise<{ etag: EntityTag }> {
  await s3().send(new PutObjectCommand({ ...staged.address(`${operation}/0`), Body: bytes }));
  return (await staged.head(`${operation}/0`)) as { etag: EntityTag };
}
/** Delivers the notification of the upload to a worker that copies the file and crashes before it counts it. */
async function sentAndDied(id: number, name: string): Promise<void> {
  let copied = false;
  loseResponses((one) => {
    copied ||= isCopy(one);
    return copied && one.method === 'HEAD' && one.path.endsWith(name);
  });
  collectLog();
  await sent(id, 0);
  keepResponses();
  configureLog();
}

describe('the publication of an upload', () => {
  /** Loses the responses to the next three matching calls: all attempts of one call of the client. */
  const loseNext = (matches: (call: Call) => boolean) => {
    let times = 0;
    loseResponses((one) => matches(one) && ++times <= 3);
  };
  const isRow = (name: string) => (one: Call) =>
    String(one.headers['x-amz-target']).endsWith('UpdateItem') &&
    Buffer.from(one.body as Uint8Array).includes(name);

  test.each<[string, Partial<FilesCall>]>([
    ['without a precondition', {}],
    ['with If-None-Match: *', { expected: { kind: 'absent' } }],
  ])(
    'happens once after the loss of any response, for an upload %s',
    async (_case, more) => {
      const name = unique('lost');
      for (const lost of [
        isCopy,
        isRow(name),
        ({ method, path }: Call) => method === 'DELETE' && path.includes('uploads/'),
      ]) {
        await objects.remove(name);
        await rows.remove(name);
        const { id } = await announcedWith(more, { name });
        await arrive(id, 0);
        loseNext(lost);
        collectLog();
        await sent(id, 0);
        keepResponses();
        await sent(id, 0);
        configureLog();
        expect([await statusOf(id), await progressOf(id)]).toEqual([
          'Succeeded',
          { done: 1, total: 1, failed: 0 },
        ]);
        expect([await textOf(name), await isStaged(id, 0)]).toEqual(['x', false]);
        expect(await shown(name)).toBe((await objects.head(name))?.etag.opaque);
      }
    },
    60_000,
  );

  test('happens once if several notifications arrive at once for If-None-Match', async () => {
    const name = unique('race');
    const { id } = await announcedWith({ expected: { kind: 'absent' } }, { name });
    await arrive(id, 0);
    await Promise.all([sent(id, 0), sent(id, 0), sent(id, 0)]);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Succeeded', 'x']);
  });

  test("keeps only the announced type of the upload's header fields", async () => {
    const name = unique('fields');
    const { id } = await upload({ name });
    await arrive(id, 0, 'x', {
      ContentType: 'text/html',
      ContentEncoding: 'gzip',
      CacheControl: 'public, max-age=31536000',
      ContentDisposition: 'inline',
    });
    await sent(id, 0);
    const { ContentType, ContentEncoding, CacheControl, ContentDisposition, Metadata } = await s3().send(
      new HeadObjectCommand(objects.address(name)),
    );
    expect({ ContentType, ContentEncoding, CacheControl, ContentDisposition }).toEqual({
      ContentType: mediaType,
    });
    expect(Metadata).toEqual({ operation: String(id), file: '0' });
  });

  test('reports a failed precondition as one failure among several', async () => {
    const [lost, wrong] = [unique('lost'), unique('wrong')];
    const { id } = await announcedWith(
      { expected: { kind: 'absent' } },
      { name: lost },
      { name: wrong, size: 2 },
    );
    await store(lost, 'meanwhile');
    await arrive(id, 0);
    await arrive(id, 1);
    await sent(id, 0);
    await sent(id, 1);
    const error = JSON.parse((await attributesOf(id))?.error?.S ?? '{}');
    expect(error).toMatchObject({
      type: '/problems/validation-error',
      failures: [
        { problem: { type: '/problems/precondition-failed' } },
        { problem: { type: '/problems/validation-error' } },
      ],
    });
    expect([await textOf(lost), await isStaged(id, 0)]).toEqual(['meanwhile', false]);
  });

  test('does not happen if the client cancels before the copy, and is counted if the client cancels after it', async () => {
    const name = unique('late');
    await store(name, 'old');
    const { id } = await upload({ name });
    await arrive(id, 0);
    await sentAndDied(id, name);
    expect([await statusOf(id), await textOf(name), await isStaged(id, 0)]).toEqual(['Running', 'x', true]);
    await cancelIt(id);
    await lookAfter(id);
    expect([await statusOf(id), await textOf(name), await isStaged(id, 0)]).toEqual([
      'Succeeded',
      'x',
      false,
    ]);

    const { id: other } = await upload({ name });
    await arrive(other, 0, 'y');
    await cancelIt(other);
    await sent(other, 0);
    await lookAfter(other);
    expect([await statusOf(other), await textOf(name)]).toEqual(['Canceled', 'x']);
  });

  // Specification 7.11
  test('is counted in a canceled operation if the client cancels after the copy of one of two files', async () => {
    const [name, other] = [unique('copied'), unique('missing')];
    const { id } = await upload({ name }, { name: other });
    await arrive(id, 0);
    await sentAndDied(id, name);
    await cancelIt(id);
    await lookAfter(id);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Canceled', 'x']);
    expect(await progressOf(id)).toEqual({ done: 1, total: 2, failed: 0 });
  });

  test('keeps later writes of other clients, however often the notification arrives', async () => {
    const name = unique('later');
    const { id } = await upload({ name });
    await arrive(id, 0);
    await sentAndDied(id, name);
    expect(await textOf(name)).toBe('x');
    // S3 has times in whole seconds.
    await new Promise((later) => setTimeout(later, 1000));
    await store(name, 'later');
    await sent(id, 0);
    expect([await statusOf(id), await textOf(name), await isStaged(id, 0)]).toEqual([
      'Succeeded',
      'later',
      false,
    ]);
    expect(await shown(name)).toBe((await objects.head(name))?.etag.opaque);
  });

  test.each([
    ['new', undefined, 201],
    ['a replacement', 5000, 200],
  ])('is reported as %s if the worker crashed before it counted the file', async (_case, age, status) => {
    const name = unique('died');
    const listedAt = async (now: number) => {
      const facts = await objects.head(name);
      await rows.put(name, facts as NonNullable<typeof facts>, now);
    };
    if (age !== undefined) {
      await store(name, 'old');
      await listedAt(Date.now() - age);
    }
    const { id } = await upload({ name });
    await arrive(id, 0);
    await sentAndDied(id, name);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Running', 'x']);
    // Meanwhile, a reconciliation lists the object by S3's time, in whole seconds.
    await listedAt((await objects.head(name))?.lastModified as number);
    await sent(id, 0);
    const { result } = (await attributesOf(id)) ?? {};
    expect([await statusOf(id), JSON.parse(result?.S ?? '{}')]).toEqual(['Succeeded', { status }]);
  });

  test('copies a large file in parts, and continues after the last finished part', async () => {
    const name = unique('parts');
    const bytes = randomBytes(11 * 1024 ** 2);
    const [operation, at] = [4711, 0];
    const { etag } = await arriveBytes(operation, bytes);
    const Metadata = { operation: String(operation), file: '0' };
    const begun = new CreateMultipartUploadCommand({
      ...objects.address(name),
      ContentType: 'a/b',
      Metadata,
    });
    const { UploadId: copyId } = await s3().send(begun);
    const file = { name, size: bytes.length, mediaType: 'a/b', copyId, copyPartSize: 5 * 1024 ** 2 };
    const wanted = async (isWanted: boolean, expected?: ObjectCondition) =>
      publish(
        { staged, files: objects },
        {
          operation,
          at,
          etag,
          time: Date.now(),
          file,
          expected,
          isWanted: async () => isWanted,
          deadline: Date.now() + 60_000,
        },
      );
    let copies = 0;
    loseResponses(({ headers }) => {
      copies += headers['x-amz-copy-source'] === undefined ? 0 : 1;
      return false;
    });
    expect(await wanted(false)).toBe('changed');
    expect([copies, await objects.head(name)]).toEqual([3, undefined]);
    await store(name, 'other');
    expect(await wanted(true, { kind: 'absent' })).toBe('lost');
    expect([copies, await textOf(name)]).toEqual([3, 'other']);
    expect(await wanted(true)).toBe('replaced');
    expect(await wanted(true)).toBe('before');
    expect(copies).toBe(3);
    const facts = await objects.head(name);
    expect(facts).toMatchObject({ size: bytes.length, mediaType: 'a/b' });
    expect(bytes.equals((await objects.read(name, facts?.etag as EntityTag)) as Uint8Array)).toBe(true);
    // Other clients replaced the file. The worker neither publishes it again nor sends an event.
    await store(name, 'others');
    await expect(wanted(true)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await staged.remove(`${operation}/${at}`);
    expect([await wanted(true), await textOf(name)]).toEqual(['changed', 'others']);
  });
});

test('the service removes uploads of ended operations at its start, and publishes the others', async () => {
  const { id } = await upload({ name: unique('runs') });
  await arrive(id, 0);
  await arrive(2, 0);
  const again: string[] = [];
  await sweepStaged(async (key) => again.push(key));
  expect(again).toContain(`uploads/${id}/0`);
  expect(again).not.toContain('uploads/2/0');
  expect([await isStaged(id, 0), await isStaged(2, 0)]).toEqual([true, false]);
});
