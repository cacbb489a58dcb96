import { describe, expect, test } from '@jest/globals';
import { unique } from '../../../../engines/test/clients.ts';
import { handler } from '../../../../functions/uploads/handler.ts';
import { configureLog } from '../../../../shared/aws/log.ts';
import { collectLog } from '../../collected-log.ts';
import { loseResponses, withEngines } from './lost-responses.ts';
import {
  aged,
  context,
  keyOf,
  notificationOf,
  notify,
  objects,
  rows,
  shown,
  store,
} from './notifications.ts';

withEngines();

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
    const notified = notify(keyOf(name));
    await new Promise((later) => setTimeout(later, 300));
    expect(await shown(name)).toBeUndefined();
    const facts = await objects.head(name);
    const { replacedFrom } = await rows.put(name, facts as NonNullable<typeof facts>, Date.now());
    await notified;
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

  test('sends no request to S3 after a removal if the file has no row', async () => {
    let calls = 0;
    loseResponses(({ headers }) => {
      if (headers['x-amz-target'] === undefined) calls += 1;
      return false;
    });
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
    loseResponses(({ path }) => path.includes(name));
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
