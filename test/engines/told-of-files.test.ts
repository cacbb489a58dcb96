import { AbortMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { handler } from '../../functions/uploads/handler.ts';
import { run } from '../../functions/worker/run.ts';
import { names } from '../../infra/local/provision.ts';
import { s3 } from '../../shared/aws/s3.ts';
import { sha256 } from '../../shared/files/filed.ts';
import { Objects } from '../../shared/files/objects.ts';
import { Rows } from '../../shared/files/rows.ts';
import { announced } from '../../shared/files/uploads/announce.ts';
import { attributesOf } from '../../shared/operations/record.ts';
import type { Asked, Upload } from '../../shared/resource/action.ts';
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
const rows = new Rows(files);
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
    body: JSON.stringify({ Records: [{ s3: { object: { key } } }] }),
  }) as SQSRecord;
const tell = (...keys: readonly string[]) => handler({ Records: keys.map(told) });
const keyOf = (name: string) => `files/${encodeURIComponent(name).replaceAll('%20', '+')}`;
const shown = async (name: string) => (await rows.shown(name))?.etag.opaque;

/** Announces files and stores their objects as their links would. */
async function upload(...uploads: readonly (Partial<Upload> & { name: string })[]) {
  const all = uploads.map((one) => ({ size: 1, mediaType, ...one }));
  const asked: Asked = { parameters: {}, query: {}, uploads: all, now: Date.now() };
  const outcome = (await announced(files, objects, asked)) as Extract<Outcome, { kind: 'accepted' }>;
  const links = outcome.more?.uploads as unknown as { href: string; headers: Record<string, string> }[];
  return { id: outcome.item.id as number, links };
}
const statusOf = async (id: number) => (await attributesOf(id))?.status?.S;
const progressOf = async (id: number) => JSON.parse((await attributesOf(id))?.progress?.S ?? '{}');

/** Stores an object with the metadata of an operation. */
async function arrive(name: string, operation: number, file: number, text = 'x'): Promise<void> {
  const { PutObjectCommand } = await import('@aws-sdk/client-s3');
  const Metadata = { operation: String(operation), file: String(file) };
  await s3().send(
    new PutObjectCommand({ ...objects.address(name), Body: text, ContentType: mediaType, Metadata }),
  );
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
    const test = { messageId: 't', body: JSON.stringify({ Event: 's3:TestEvent' }) } as SQSRecord;
    expect(await handler({ Records: [test, told('images/1')] })).toEqual({ batchItemFailures: [] });
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
      answer = await handler({ Records: [failing, told(keyOf(other))] });
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
    await arrive(b, id, 1);
    await Promise.all([tell(keyOf(b)), tell(keyOf(b), keyOf(b))]);
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Running', { done: 1, total: 2, failed: 0 }]);
    await arrive(a, id, 0);
    await tell(keyOf(b), keyOf(a), keyOf(a));
    expect([await statusOf(id), await progressOf(id)]).toEqual([
      'Succeeded',
      { done: 2, total: 2, failed: 0 },
    ]);
    await rows.remove(a);
    await aged(() => tell(keyOf(a)));
    expect(await shown(a)).toBeDefined();
  });

  test('many at once are all counted', async () => {
    const all = Array.from({ length: 30 }, () => ({ name: unique('many') }));
    const { id } = await upload(...all);
    for (const [at, { name }] of all.entries()) await arrive(name, id, at);
    await Promise.all(all.map(({ name }) => tell(keyOf(name))));
    expect([await statusOf(id), await progressOf(id)]).toEqual([
      'Succeeded',
      { done: 30, total: 30, failed: 0 },
    ]);
  }, 30_000);

  test('one that is not as announced fails, the others stay', async () => {
    const [right, wrong] = [unique('right'), unique('wrong')];
    const { id } = await upload({ name: right }, { name: wrong, size: 2 });
    await arrive(right, id, 0);
    await arrive(wrong, id, 1);
    await tell(keyOf(wrong), keyOf(right));
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 2, failed: 1 }]);
    expect([await shown(wrong), await objects.head(wrong)]).toEqual([undefined, undefined]);
    expect(await shown(right)).toBeDefined();
    expect((await attributesOf(id))?.error?.S).toContain(wrong);
    await tell(keyOf(right), keyOf(wrong));
    expect(await shown(right)).toBeDefined();
  });

  test('an object that names another file, or no operation, is as any other', async () => {
    const [name, other] = [unique('name'), unique('other')];
    const { id } = await upload({ name });
    await arrive(other, id, 0);
    await arrive(unique('none'), 1, 0);
    await aged(() => tell(keyOf(other)));
    expect([await shown(other), await statusOf(id)]).toEqual([expect.any(String), 'Running']);
  });

  test('parts are given up when it is cancelled, whatever was aborted or removed already', async () => {
    const { cancel } = await import('../../shared/operations/cancel.ts');
    const { itemOf } = await import('../../shared/operations/record.ts');
    const [a, b] = [unique('a'), unique('b')];
    const large = { size: 65 * 1024 ** 2 };
    const { id } = await upload({ name: a, ...large }, { name: b, ...large });
    const list = async () => {
      const listed = new ListMultipartUploadsCommand({ Bucket: names.bucket, Prefix: 'files/' });
      return ((await s3().send(listed)).Uploads ?? []).filter(
        ({ Key = '' }) => Key.endsWith(a) || Key.endsWith(b),
      );
    };
    const [first, ...others] = await list();
    expect(others).toHaveLength(1);
    await s3().send(
      new AbortMultipartUploadCommand({ Bucket: names.bucket, Key: first?.Key, UploadId: first?.UploadId }),
    );
    await run(id, { deadline: Date.now() + 1000, again: Date.now() });
    expect([await statusOf(id), (await list()).length]).toEqual(['Running', 1]);
    const item = itemOf((await attributesOf(id)) as NonNullable<Awaited<ReturnType<typeof attributesOf>>>);
    await cancel(item, Date.now());
    await run(id, { deadline: Date.now() + 1000, again: Date.now() });
    expect([await statusOf(id), await list()]).toEqual(['Canceled', []]);
  });

  test('when its time is over it fails, and what comes later is not kept', async () => {
    const [there, late] = [unique('there'), unique('late')];
    const { id } = await upload({ name: there }, { name: late });
    await arrive(there, id, 0);
    await tell(keyOf(there));
    const now = Date.now;
    Date.now = () => now() + 86_400_000;
    await run(id, { deadline: Date.now() + 1000, again: Date.now() }).finally(() => {
      Date.now = now;
    });
    expect([await statusOf(id), await progressOf(id)]).toEqual(['Failed', { done: 1, total: 2, failed: 0 }]);
    await arrive(late, id, 1);
    await tell(keyOf(late), keyOf(there));
    expect([await objects.head(late), await shown(late)]).toEqual([undefined, undefined]);
    expect(await shown(there)).toBeDefined();
  });
});
