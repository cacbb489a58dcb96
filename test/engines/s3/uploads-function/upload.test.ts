import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { unique } from '../../../../engines/test/clients.ts';
import { names } from '../../../../local/provision/names.ts';
import { s3 } from '../../../../shared/aws/clients/s3.ts';
import { attributesOf } from '../../../../shared/operations/record/record.ts';
import { withTimePassed } from '../../../support/clock.ts';
import { arrive, cancelIt, isStaged, lookAfter, progressOf, sent, statusOf, upload } from './announced.ts';
import { withEngines } from './lost-responses.ts';
import { aged, keyOf, mediaType, notify, objects, rows, shown, store, textOf } from './notifications.ts';

withEngines();

describe('an upload operation', () => {
  test('counts a file once, also after repeated, late and unordered notifications', async () => {
    const [a, b] = [unique('a'), unique('b')];
    const { id } = await upload({ name: a }, { name: b });
    await arrive(id, 1);
    await Promise.all([sent(id, 1), sent(id, 1, 1)]);
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Running', { done: 1, total: 2, failed: 0 }]);
    await arrive(id, 0);
    await sent(id, 1, 0, 0);
    expect([await statusOf(id), await progressOf(id)]).toEqual([
      'Succeeded',
      { done: 2, total: 2, failed: 0 },
    ]);
    expect([await textOf(a), await isStaged(id, 0), await isStaged(id, 1)]).toEqual(['x', false, false]);
    expect(await objects.head(a)).toMatchObject({ mediaType, size: 1 });
    await rows.remove(a);
    await aged(() => notify(keyOf(a)));
    expect(await shown(a)).toBeDefined();
  });

  test('counts many concurrent notifications', async () => {
    const all = Array.from({ length: 30 }, () => ({ name: unique('many') }));
    const { id } = await upload(...all);
    for (const at of all.keys()) await arrive(id, at);
    await Promise.all([...all.keys()].map((at) => sent(id, at)));
    expect([await statusOf(id), await progressOf(id)]).toEqual([
      'Succeeded',
      { done: 30, total: 30, failed: 0 },
    ]);
  });

  test('fails if one file differs from its announcement, and the other files stay', async () => {
    const [right, wrong] = [unique('right'), unique('wrong')];
    await store(wrong, 'old');
    const { id } = await upload({ name: right }, { name: wrong, size: 2 });
    await arrive(id, 0);
    await arrive(id, 1);
    await sent(id, 1, 0);
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 2, failed: 1 }]);
    expect([await textOf(wrong), await isStaged(id, 1)]).toEqual(['old', false]);
    expect(await shown(right)).toBeDefined();
    const error = JSON.parse((await attributesOf(id))?.error?.S ?? '{}');
    expect(error).toMatchObject({
      type: '/problems/validation-error',
      failures: [{ href: `/files/${wrong}` }],
    });
    await sent(id, 0, 1);
    expect(await shown(right)).toBeDefined();
  });

  test('removes uploads that no operation announced, and ignores objects with other keys', async () => {
    const { id } = await upload({ name: unique('name') });
    await arrive(id, 7);
    await arrive(1, 0);
    await sent(id, 7);
    await sent(1, 0);
    expect([await isStaged(id, 7), await isStaged(1, 0)]).toEqual([false, false]);
    expect(await notify('uploads/readme', 'uploads/1/x')).toEqual({ batchItemFailures: [] });
    expect(await statusOf(id)).toBe('Running');
  });

  test('loses its parts at a cancellation, even if some are aborted or removed already', async () => {
    const large = { size: 65 * 1024 ** 2 };
    const huge = { size: 6 * 1024 ** 3 };
    const [a, b, c] = [unique('a'), unique('b'), unique('c')];
    const { id } = await upload({ name: a, ...large }, { name: b, ...large }, { name: c, ...huge });
    const list = async () => {
      const { Uploads = [] } = await s3().send(new ListMultipartUploadsCommand({ Bucket: names.bucket }));
      return Uploads.filter(({ Key = '' }) => Key.startsWith(`uploads/${id}/`) || Key.endsWith(c));
    };
    const [first, ...others] = await list();
    expect([first, ...others].map((one) => one?.Key)).toEqual([
      `files/${c}`,
      ...[0, 1, 2].map((at) => `uploads/${id}/${at}`),
    ]);
    await s3().send(
      new AbortMultipartUploadCommand({ Bucket: names.bucket, Key: first?.Key, UploadId: first?.UploadId }),
    );
    await lookAfter(id);
    expect([await statusOf(id), (await list()).length]).toEqual(['Running', 3]);
    await cancelIt(id);
    await lookAfter(id);
    expect([await statusOf(id), await list()]).toEqual(['Canceled', []]);
  });

  // Specification 5.15
  test.each([
    ['Canceled', (id: number) => cancelIt(id)],
    ['Succeeded', (id: number) => arrive(id, 0).then(() => sent(id, 0))],
    ['Failed', (id: number) => arrive(id, 0, 'too long').then(() => sent(id, 0))],
  ])('stores no bytes that arrive after it is %s', async (status, end) => {
    const name = unique('late');
    const { id } = await upload({ name });
    await end(id);
    await lookAfter(id);
    const before = await objects.head(name);
    expect(await statusOf(id)).toBe(status);
    await arrive(id, 0, 'y');
    expect(await isStaged(id, 0)).toBe(true);
    await sent(id, 0);
    expect([await objects.head(name), await isStaged(id, 0)]).toEqual([before, false]);
  });

  test('fails when its time is over, and the service discards later uploads', async () => {
    const [there, late] = [unique('there'), unique('late')];
    const { id } = await upload({ name: there }, { name: late });
    await arrive(id, 0);
    await sent(id, 0);
    await withTimePassed(86_400_000, () => lookAfter(id));
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 2, failed: 0 }]);
    await arrive(id, 1);
    await sent(id, 1, 0);
    expect([await objects.head(late), await isStaged(id, 1)]).toEqual([undefined, false]);
    expect(await shown(there)).toBeDefined();
  });
});
