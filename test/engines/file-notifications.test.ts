import { randomBytes } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { handler } from '../../functions/uploads/handler.ts';
import { run } from '../../functions/worker/run.ts';
import { names } from '../../local/names.ts';
import { s3 } from '../../shared/aws/s3.ts';
import { sha256 } from '../../shared/files/file-actions.ts';
import { FileListing } from '../../shared/files/listing.ts';
import { Objects } from '../../shared/files/objects.ts';
import { announced } from '../../shared/files/uploads/announce.ts';
import { sweepStaged } from '../../shared/files/uploads/leftovers.ts';
import { publish } from '../../shared/files/uploads/publish.ts';
import type { EntityTag } from '../../shared/http/entity-tag.ts';
import { attributesOf } from '../../shared/operations/record.ts';
import type { ActionInput, Upload } from '../../shared/resource/action.ts';
import type { Outcome } from '../../shared/resource/outcome.ts';
import { attached, type Call, resourceOf } from './attached.ts';
import { unique } from './clients.ts';

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
/** Who writes an object has a while to write its row: it was written long ago. */
const aged = async (work: () => Promise<unknown>): Promise<void> => {
  const now = Date.now;
  Date.now = () => now() + 60_000;
  try {
    await work();
  } finally {
    Date.now = now;
  }
};

let messages = 0;
const told = (key: string): SQSRecord =>
  ({
    messageId: `${++messages}`,
    receiptHandle: 'unknown',
    attributes: { ApproximateReceiveCount: '1' },
    body: JSON.stringify({ Records: [{ s3: { object: { key } } }] }),
  }) as SQSRecord;
const context = { getRemainingTimeInMillis: () => 900_000 } as Context;
const tell = (...keys: readonly string[]) => handler({ Records: keys.map(told) }, context);
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
/** Sends a file of an operation, as its link would. */
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
  tell(...numbers.map((at) => `uploads/${id}/${at}`));
const cancelIt = async (id: number) => {
  const { cancel } = await import('../../shared/operations/cancel.ts');
  const { itemOf } = await import('../../shared/operations/record.ts');
  const item = itemOf((await attributesOf(id)) as NonNullable<Awaited<ReturnType<typeof attributesOf>>>);
  await cancel(item, Date.now());
};
const lookAfter = (id: number) => run(id, { deadline: Date.now() + 10_000, again: Date.now() });

const isCopy = ({ headers }: Call) => headers['x-amz-copy-source'] !== undefined;

/** What was sent is told, and made the file by someone who dies before that is counted. */
async function sentAndDied(id: number, name: string): Promise<void> {
  let copied = false;
  broken = (one) => {
    copied ||= isCopy(one);
    return copied && one.method === 'HEAD' && one.path.endsWith(name);
  };
  const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
  await sent(id, 0);
  broken = () => false;
  logged.mockRestore();
}

describe('rows follow objects', () => {
  test('a row that was lost after its object was written is written', async () => {
    const name = `${unique('lost')} ü+%&`;
    await store(name, 'text');
    expect(await shown(name)).toBeUndefined();
    await aged(() => tell(keyOf(name)));
    expect(await shown(name)).toBe((await objects.head(name))?.etag.opaque);
    await rows.remove(name);
    await aged(() => tell(keyOf(name)));
    expect(await shown(name)).toBeDefined();
  });

  test('a row of an earlier object is written anew, and one without an object removed', async () => {
    const name = unique('earlier');
    await store(name, 'one');
    await aged(() => tell(keyOf(name)));
    const before = await shown(name);
    await store(name, 'two');
    await aged(() => tell(keyOf(name)));
    expect(await shown(name)).not.toBe(before);
    await objects.remove(name);
    await tell(keyOf(name));
    expect(await shown(name)).toBeUndefined();
  });

  test('who writes an object writes its row: nobody else does in the meantime', async () => {
    const name = unique('writing');
    await store(name, 'text');
    const telling = tell(keyOf(name));
    await new Promise((later) => setTimeout(later, 300));
    expect(await shown(name)).toBeUndefined();
    const facts = await objects.head(name);
    const { existed } = await rows.put(name, facts as NonNullable<typeof facts>, Date.now());
    await telling;
    expect(existed).toBe(false);
    const again = await rows.put(name, facts as NonNullable<typeof facts>, Date.now());
    expect(again.item.version).toBe(2);
  });

  test('what is no file, and what S3 sends to begin with, mean nothing', async () => {
    const test = { ...told('images/1'), body: JSON.stringify({ Event: 's3:TestEvent' }) };
    expect(await handler({ Records: [test, told('images/1')] }, context)).toEqual({ batchItemFailures: [] });
  });

  test('a message that cannot be worked on is reported, the others are not', async () => {
    const [name, other] = [unique('fails'), unique('works')];
    await store(name, 'x');
    await store(other, 'x');
    broken = ({ path }) => path.includes(name);
    const failing = told(keyOf(name));
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    let answer: unknown;
    await aged(async () => {
      answer = await handler({ Records: [failing, told(keyOf(other))] }, context);
    });
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: failing.messageId }] });
    expect(await shown(other)).toBeDefined();
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  }, 60_000);
});

describe('operations that wait', () => {
  test('a file told twice, late and in another order counts once', async () => {
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
    await aged(() => tell(keyOf(a)));
    expect(await shown(a)).toBeDefined();
  });

  test('many at once are all counted', async () => {
    const all = Array.from({ length: 30 }, () => ({ name: unique('many') }));
    const { id } = await upload(...all);
    for (const at of all.keys()) await arrive(id, at);
    await Promise.all([...all.keys()].map((at) => sent(id, at)));
    expect([await statusOf(id), await progressOf(id)]).toEqual([
      'Succeeded',
      { done: 30, total: 30, failed: 0 },
    ]);
  }, 30_000);

  test('one that is not as announced fails, the others stay', async () => {
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

  test('what was sent for no operation, or none of its files, is removed; what is not ours is not looked at', async () => {
    const { id } = await upload({ name: unique('name') });
    await arrive(id, 7);
    await arrive(1, 0);
    await sent(id, 7);
    await sent(1, 0);
    expect([await isStaged(id, 7), await isStaged(1, 0)]).toEqual([false, false]);
    expect(await tell('uploads/readme', 'uploads/1/x')).toEqual({ batchItemFailures: [] });
    expect(await statusOf(id)).toBe('Running');
  });

  test('parts are given up when it is cancelled, whatever was aborted or removed already', async () => {
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

  test('when its time is over it fails, and what comes later is not kept', async () => {
    const [there, late] = [unique('there'), unique('late')];
    const { id } = await upload({ name: there }, { name: late });
    await arrive(id, 0);
    await sent(id, 0);
    const now = Date.now;
    Date.now = () => now() + 86_400_000;
    await lookAfter(id).finally(() => {
      Date.now = now;
    });
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 2, failed: 0 }]);
    await arrive(id, 1);
    await sent(id, 1, 0);
    expect([await objects.head(late), await isStaged(id, 1)]).toEqual([undefined, false]);
    expect(await shown(there)).toBeDefined();
  });
});

describe('when the time of an operation is over', () => {
  const over = async (id: number): Promise<void> => {
    const now = Date.now;
    Date.now = () => now() + 86_400_000;
    await lookAfter(id).finally(() => {
      Date.now = now;
    });
  };

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

  test('keeps the operation when S3 fails, for another attempt', async () => {
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

describe('what was sent becomes the file once', () => {
  /** The calls that are about to be made, until one is answered with a broken connection; then all work again. */
  const breakingAfter = (call: (one: Call) => boolean) => {
    let times = 0;
    broken = (one) => call(one) && ++times <= 3;
  };
  const isRow = (name: string) => (one: Call) =>
    String(one.headers['x-amz-target']).endsWith('UpdateItem') &&
    Buffer.from(new Uint8Array(one.body as Uint8Array)).includes(name);

  test.each<[string, Partial<ActionInput>]>([
    ['without a condition', {}],
    ['if it is not there', { expected: { absent: true } }],
  ])(
    'whatever call is lost: %s',
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
        const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
        await sent(id, 0);
        broken = () => false;
        await sent(id, 0);
        logged.mockRestore();
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

  test('under If-None-Match told several times at once: it is nobody else’s', async () => {
    const name = unique('race');
    const { id } = await announcedWith({ expected: { absent: true } }, { name });
    await arrive(id, 0);
    await Promise.all([sent(id, 0), sent(id, 0), sent(id, 0)]);
    expect([await statusOf(id), await textOf(name)]).toEqual(['Succeeded', 'x']);
  });

  test('keeps of the upload’s header fields only the type that was announced', async () => {
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

  test('of several, a lost condition is one failure among others', async () => {
    const [lost, wrong] = [unique('lost'), unique('wrong')];
    const { id } = await announcedWith(
      { expected: { absent: true } },
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

  test('cancelled while it is copied: it appears and is told, or does not appear', async () => {
    const name = unique('late');
    await store(name, 'old');
    const { id } = await upload({ name });
    await arrive(id, 0);
    // The copy was made, and the function died before it could count it.
    const logged = jest.spyOn(console, 'error').mockImplementation(() => {});
    let copied = false;
    broken = (one) => {
      copied ||= isCopy(one);
      return copied && one.method === 'HEAD' && one.path.endsWith(name);
    };
    await sent(id, 0);
    broken = () => false;
    logged.mockRestore();
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

  test('what others wrote after it came stands, however often it is told', async () => {
    const name = unique('later');
    const { id } = await upload({ name });
    await arrive(id, 0);
    await sentAndDied(id, name);
    expect(await textOf(name)).toBe('x');
    // S3 tells times in seconds.
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
  ])('%s, where it died before it could say so: its row tells', async (_case, age, status) => {
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
    // Whoever finds it meanwhile lists it by S3's time, in whole seconds.
    await listedAt((await objects.head(name))?.lastModified as number);
    await sent(id, 0);
    const { result } = (await attributesOf(id)) ?? {};
    expect([await statusOf(id), JSON.parse(result?.S ?? '{}')]).toEqual(['Succeeded', { status }]);
  });

  test('of more than can be copied at once: in parts, and again from where it came to', async () => {
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
    const wanted = async (isWanted: boolean, expected?: { absent: true }) =>
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
    expect(await wanted(true, { absent: true })).toBe('lost');
    expect([copies, await textOf(name)]).toEqual([3, 'other']);
    expect(await wanted(true)).toBe('replaced');
    expect(await wanted(true)).toBe('before');
    expect(copies).toBe(3);
    const facts = await objects.head(name);
    expect(facts).toMatchObject({ size: bytes.length, mediaType: 'a/b' });
    expect(bytes.equals((await objects.read(name, facts?.etag as EntityTag)) as Uint8Array)).toBe(true);
    // Replaced by others: it is not made a second time, and nobody is told it was.
    await store(name, 'others');
    await expect(wanted(true)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    await staged.remove(`${operation}/${at}`);
    expect([await wanted(true), await textOf(name)]).toEqual(['changed', 'others']);
  });

  test('when the service starts, what is left of operations that ended goes, and others go on', async () => {
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
