import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { handler } from '../../../functions/uploads/handler.ts';
import { run } from '../../../functions/worker/run.ts';
import { names } from '../../../local/provision/names.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { configureLog } from '../../../shared/aws/log.ts';
import { sha256 } from '../../../shared/files/file-actions.ts';
import { FileListing } from '../../../shared/files/listing.ts';
import { type ObjectCondition, Objects } from '../../../shared/files/objects.ts';
import { announced } from '../../../shared/files/uploads/announce/announce.ts';
import { sweepStaged } from '../../../shared/files/uploads/leftovers.ts';
import { publish } from '../../../shared/files/uploads/publish.ts';
import type { EntityTag } from '../../../shared/http/conditional/entity-tag.ts';
import { attributesOf } from '../../../shared/operations/record/record.ts';
import type { ActionInput, Upload } from '../../../shared/resource/actions/action.ts';
import type { Outcome } from '../../../shared/resource/actions/outcome.ts';
import { withTimePassed } from '../../support/clock.ts';
import { attached, type Call, resourceOf } from '../attached.ts';
import { unique } from '../clients.ts';
import { collectLog } from '../collected-log.ts';

let broken: (call: Call) => boolean = () => false;
attached(async (call, pass) => {
  const answer = await pass(...call);
  if (broken(call[0])) throw Object.assign(new Error('Connection reset'), { code: 'ECONNRESET' });
  return answer;
});
beforeEach(() => {
  broken = () => false;
});

const files = resourceOf('files');
const objects = new Objects('files/');
const staged = new Objects('uploads/');
const rows = new FileListing(files);
const mediaType = 'text/plain';

const store = (name: string, text: string) =>
  objects.put(name, { bytes: Buffer.from(text), mediaType, sha256: sha256(Buffer.from(text)) }, undefined);
/** A writer has some time between object and row. This makes the write old enough. */
const aged = (work: () => Promise<unknown>) => withTimePassed(60_000, work);

let messages = 0;
const notificationOf = (key: string, event: { eventName?: string; eventTime?: string } = {}): SQSRecord =>
  ({
    messageId: `${++messages}`,
    receiptHandle: 'unknown',
    attributes: { ApproximateReceiveCount: '1' },
    body: JSON.stringify({ Records: [{ ...event, s3: { object: { key } } }] }),
  }) as SQSRecord;
const context = { getRemainingTimeInMillis: () => 900_000 } as Context;
const notify = (...keys: readonly string[]) =>
  handler({ Records: keys.map((key) => notificationOf(key)) }, context);
const keyOf = (name: string) => `files/${encodeURIComponent(name).replaceAll('%20', '+')}`;
const shown = async (name: string) => (await rows.shown(name))?.etag.opaque;

/** Announces files. */
async function upload(...uploads: readonly (Partial<Upload> & { name: string })[]) {
  return announcedWith({}, ...uploads);
}
async function announcedWith(
  more: Partial<ActionInput>,
  ...uploads: readonly (Partial<Upload> & { name: string })[]
) {
  const all = uploads.map((one) => ({ size: 1, mediaType, ...one }));
  const asked: ActionInput = { parameters: {}, query: {}, uploads: all, now: Date.now(), ...more };
  const outcome = (await announced(files, asked)) as Extract<Outcome, { kind: 'accepted' }>;
  const links = outcome.more?.uploads as unknown as { href: string; headers: Record<string, string> }[];
  return { id: outcome.item.id as number, links };
}
const statusOf = async (id: number) => (await attributesOf(id))?.status?.S;
const progressOf = async (id: number) => JSON.parse((await attributesOf(id))?.progress?.S ?? '{}');

async function arriveBytes(operation: number, bytes: Buffer): Promise<{ etag: EntityTag }> {
  await s3().send(new PutObjectCommand({ ...staged.address(`${operation}/0`), Body: bytes }));
  return (await staged.head(`${operation}/0`)) as { etag: EntityTag };
}
/** Sends a file of an operation through its link. */
const arrive = (operation: number, file: number, Body = 'x', more: Partial<PutObjectCommandInput> = {}) =>
  s3().send(
    new PutObjectCommand({
      ...staged.address(`${operation}/${file}`),
      Body,
      ContentType: mediaType,
      Metadata: { operation: String(operation), file: String(file) },
      ...more,
    }),
  );
const isStaged = async (id: number, at: number) => (await staged.head(`${id}/${at}`)) !== undefined;
const textOf = async (name: string) => {
  const facts = await objects.head(name);
  return facts && Buffer.from((await objects.read(name, facts.etag)) ?? []).toString();
};
const sent = (id: number, ...numbers: readonly number[]) =>
  notify(...numbers.map((at) => `uploads/${id}/${at}`));
const cancelIt = async (id: number) => {
  const { cancel } = await import('../../../shared/operations/running/cancel.ts');
  const { itemOf } = await import('../../../shared/operations/record/record.ts');
  const item = itemOf((await attributesOf(id)) as NonNullable<Awaited<ReturnType<typeof attributesOf>>>);
  await cancel(item, Date.now());
};
const lookAfter = (id: number) => run(id, { deadline: Date.now() + 10_000, again: Date.now() });

const isCopy = ({ headers }: Call) => headers['x-amz-copy-source'] !== undefined;

/**
 * Delivers the notification of the upload to a worker that publishes the file and dies before it counts the part.
 */
async function sentAndDied(id: number, name: string): Promise<void> {
  let copied = false;
  broken = (one) => {
    copied ||= isCopy(one);
    return copied && one.method === 'HEAD' && one.path.endsWith(name);
  };
  collectLog();
  await sent(id, 0);
  broken = () => false;
  configureLog();
}

describe('the reconciliation of rows', () => {
  test('writes a row that was lost after its object was written', async () => {
    const name = `${unique('lost')} ü+%&`;
    await store(name, 'text');
    expect(await shown(name)).toBeUndefined();
    await aged(() => notify(keyOf(name)));
    expect(await shown(name)).toBe((await objects.head(name))?.etag.opaque);
    await rows.remove(name);
    await aged(() => notify(keyOf(name)));
    expect(await shown(name)).toBeDefined();
  });

  test('replaces the row of an earlier object and removes a row without an object', async () => {
    const name = unique('earlier');
    await store(name, 'one');
    await aged(() => notify(keyOf(name)));
    const before = await shown(name);
    await store(name, 'two');
    await aged(() => notify(keyOf(name)));
    expect(await shown(name)).not.toBe(before);
    await objects.remove(name);
    await notify(keyOf(name));
    expect(await shown(name)).toBeUndefined();
  });

  test('leaves the row to the writer of the object for a while', async () => {
    const name = unique('writing');
    await store(name, 'text');
    const telling = notify(keyOf(name));
    await new Promise((later) => setTimeout(later, 300));
    expect(await shown(name)).toBeUndefined();
    const facts = await objects.head(name);
    const { replacedFrom } = await rows.put(name, facts as NonNullable<typeof facts>, Date.now());
    await telling;
    expect(replacedFrom).toBeUndefined();
    const again = await rows.put(name, facts as NonNullable<typeof facts>, Date.now());
    expect(again.item.version).toBe(2);
  });

  test('removes the row that the writer of a removed object writes late', async () => {
    const name = unique('removed');
    await store(name, 'text');
    const facts = (await objects.head(name)) as NonNullable<Awaited<ReturnType<typeof objects.head>>>;
    await objects.remove(name);
    const event = { eventName: 'ObjectCreated:Put', eventTime: new Date().toISOString() };
    const repairing = handler({ Records: [notificationOf(keyOf(name), event)] }, context);
    await new Promise((later) => setTimeout(later, 300));
    await rows.put(name, facts, Date.now());
    await repairing;
    expect(await shown(name)).toBeUndefined();
  });

  test('asks S3 nothing after a removal if there is no row', async () => {
    let calls = 0;
    broken = ({ headers }) => {
      if (headers['x-amz-target'] === undefined) calls += 1;
      return false;
    };
    const event = { eventName: 'ObjectRemoved:Delete', eventTime: new Date().toISOString() };
    await handler({ Records: [notificationOf(keyOf(unique('gone')), event)] }, context);
    expect(calls).toBe(0);
  });

  test('ignores objects that are not files, and the test message of S3', async () => {
    const test = { ...notificationOf('images/1'), body: JSON.stringify({ Event: 's3:TestEvent' }) };
    expect(await handler({ Records: [test, notificationOf('images/1')] }, context)).toEqual({
      batchItemFailures: [],
    });
  });

  test('reports a message that fails, and not the others', async () => {
    const [name, other] = [unique('fails'), unique('works')];
    await store(name, 'x');
    await store(other, 'x');
    broken = ({ path }) => path.includes(name);
    const failing = notificationOf(keyOf(name));
    const logged = collectLog();
    let answer: unknown;
    await aged(async () => {
      answer = await handler({ Records: [failing, notificationOf(keyOf(other))] }, context);
    });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: failing.messageId }] });
    expect(await shown(other)).toBeDefined();
    expect(logged).toHaveLength(1);
    configureLog();
  }, 60_000);
});

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
  }, 30_000);

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

  test('removes uploads without an operation or a file of it, and ignores foreign objects', async () => {
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

describe("the end of an operation's time", () => {
  const over = (id: number): Promise<void> => withTimePassed(86_400_000, () => lookAfter(id));

  test('publishes an upload that arrived although every message about it failed', async () => {
    const name = unique('unnoticed');
    const { id } = await upload({ name });
    await arrive(id, 0);
    await over(id);
    expect([await statusOf(id), await textOf(name), await isStaged(id, 0)]).toEqual([
      'Succeeded',
      'x',
      false,
    ]);
    expect(await shown(name)).toBe((await objects.head(name))?.etag.opaque);
  });

  test('publishes the uploads that arrived and fails because of the others', async () => {
    const [unnoticed, missing, wrong] = [unique('unnoticed'), unique('missing'), unique('wrong')];
    const { id } = await upload({ name: unnoticed }, { name: missing }, { name: wrong, size: 2 });
    await arrive(id, 0);
    await arrive(id, 2);
    await over(id);
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 3, failed: 1 }]);
    expect([await textOf(unnoticed), await textOf(missing), await textOf(wrong)]).toEqual([
      'x',
      undefined,
      undefined,
    ]);
  });

  test('keeps the operation if S3 fails, for another attempt', async () => {
    const name = unique('again');
    const { id } = await upload({ name });
    await arrive(id, 0);
    broken = isCopy;
    await expect(over(id)).rejects.toThrow();
    broken = () => false;
    expect([await statusOf(id), await isStaged(id, 0)]).toEqual(['Running', true]);
    await over(id);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Succeeded', 'x']);
  });
});

describe('the publication of an upload happens once', () => {
  /** The upcoming calls, until one gets a broken connection. Then all calls work again. */
  const breakingAfter = (call: (one: Call) => boolean) => {
    let times = 0;
    broken = (one) => call(one) && ++times <= 3;
  };
  const isRow = (name: string) => (one: Call) =>
    String(one.headers['x-amz-target']).endsWith('UpdateItem') &&
    Buffer.from(one.body as Uint8Array).includes(name);

  test.each<[string, Partial<ActionInput>]>([
    ['without a condition', {}],
    ['if it is not there', { expected: { kind: 'absent' } }],
  ])(
    'if the call %s is lost',
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
        breakingAfter(lost);
        collectLog();
        await sent(id, 0);
        broken = () => false;
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

  test('if several notifications arrive at once for If-None-Match', async () => {
    const name = unique('race');
    const { id } = await announcedWith({ expected: { kind: 'absent' } }, { name });
    await arrive(id, 0);
    await Promise.all([sent(id, 0), sent(id, 0), sent(id, 0)]);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Succeeded', 'x']);
  });

  test("and keeps only the announced type of the upload's header fields", async () => {
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

  test('and a lost precondition is one failure among several', async () => {
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

  test('or not at all if the client cancels during the copy', async () => {
    const name = unique('late');
    await store(name, 'old');
    const { id } = await upload({ name });
    await arrive(id, 0);
    // The copy exists, and the function died before it counted the part.
    collectLog();
    let copied = false;
    broken = (one) => {
      copied ||= isCopy(one);
      return copied && one.method === 'HEAD' && one.path.endsWith(name);
    };
    await sent(id, 0);
    broken = () => false;
    configureLog();
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
  }, 30_000);

  test('and keeps later writes of other clients, however often the notification arrives', async () => {
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
  }, 30_000);

  test.each([
    ['a new one', undefined, 201],
    ['in the place of one', 5000, 200],
  ])('if the worker died after %s, because the row shows the publication', async (_case, age, status) => {
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

  test('in parts for a large file, and from the last finished part after a crash', async () => {
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
    broken = ({ headers }) => {
      copies += headers['x-amz-copy-source'] === undefined ? 0 : 1;
      return false;
    };
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

  test('at the start, the service removes leftovers of finished operations and continues the others', async () => {
    const { id } = await upload({ name: unique('runs') });
    await arrive(id, 0);
    await arrive(2, 0);
    const again: string[] = [];
    await sweepStaged(async (key) => again.push(key));
    expect(again).toContain(`uploads/${id}/0`);
    expect(again).not.toContain('uploads/2/0');
    expect([await isStaged(id, 0), await isStaged(2, 0)]).toEqual([true, false]);
  });
});
