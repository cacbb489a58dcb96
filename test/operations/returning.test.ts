import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inProcess } from 'embedded-aws';
import { claimEnded } from '../../functions/worker/ended-items.ts';
import { names, queueUrl } from '../../local/provision/names.ts';
import { registry } from '../../service/registry.ts';
import { sendEnded, sqs } from '../../shared/aws/clients/queue.ts';
import type { Resource } from '../../shared/resource/resource.ts';
import { lastRow } from '../../shared/store/history/returning.ts';
import { newIdentifier } from '../../shared/store/write/new-item.ts';
import { collectLog } from '../engines/collected-log.ts';
import { type Harness, startHarness } from '../faults/harness.ts';
import type { Answer } from '../support/client/client.ts';
import { expectProblem } from '../support/client/problem.ts';
import { testTime } from '../support/clock.ts';
import { textOf } from './fault-injection.ts';

/* References with `clear` to removed items, until the histories of these end. Source: Specification 8.4; decision 84. */
const SECOND = 1000;
const HISTORY = 30 * 86_400 * SECOND;

let service: Harness;
/** What happens before the next call of an operation of DynamoDB whose body has the text. */
let before: { operation: string; text: string; run: () => Promise<void> }[] = [];

beforeAll(async () => {
  collectLog();
  service = await startHarness((engines) => {
    const whole = inProcess(engines);
    const handle: typeof whole.handle = async (...call) => {
      const [{ headers, body }] = call;
      const found = before.find(
        ({ operation, text }) =>
          headers['x-amz-target']?.endsWith(`.${operation}`) && textOf(body).includes(text),
      );
      before = before.filter((one) => one !== found);
      await found?.run();
      return whole.handle(...call);
    };
    const settings = { requestHandler: { ...whole, handle } };
    return { settings, clear: async () => undefined, close: async () => undefined };
  });
});
afterAll(() => service.close());

const send = (method: string, path: string, json?: unknown): Promise<Answer> =>
  service.client(method, path, json === undefined ? {} : { json });

async function made(collection: string, json: object): Promise<string> {
  const { status, headers } = await send('POST', collection, json);
  expect(status).toBe(201);
  return headers.location as string;
}

interface Pair {
  readonly customer: string;
  readonly order: string;
}

const numberOf = (path: string): number => Number(path.split('/').at(-1));

/** Customers with an order each. */
const pairs = (count: number): Promise<Pair[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const customer = await made('/customers', { name: 'Ada' });
      return { customer, order: await made(`${customer}/orders`, { productId: 1, orderValue: 5 }) };
    }),
  );

async function pair(): Promise<Pair> {
  const [one] = await pairs(1);
  return one as Pair;
}

const removed = async (path: string) => expect((await send('DELETE', path)).status).toBe(204);
const restored = async (path: string) =>
  expect((await send('POST', `${path}/versions/1/restore`)).status).toBe(201);

/** The order, and whether it refers to a customer. */
const refers = async ({ order }: Pair): Promise<boolean> => 'customerId' in (await send('GET', order)).json();

/** Lets time pass until so many ms after the end of the history of a removed item. */
async function passUntilEnd(path: string, after: number): Promise<void> {
  const [entry] = (await send('GET', `${path}/versions?limit=1`)).json().items;
  expect(entry?.change).toBe('removed');
  service.pass(Date.parse(String(entry?.time)) + HISTORY + after - testTime());
}

/** Does the work of a day, with all messages that follow from it. */
async function day(): Promise<void> {
  await sendEnded({});
  for (let runs = 0; runs < 4; runs += 1) {
    await service.work();
    service.pass();
  }
}

describe('a reference to a removed item', () => {
  test.each([
    ['10 s after its removal', () => Promise.resolve(service.pass(10 * SECOND))],
    ['at half of its history', () => Promise.resolve(service.pass(HISTORY / 2))],
    ['one second before the end of its history', (path: string) => passUntilEnd(path, -SECOND)],
  ])('is there when the item returns %s', async (_, wait) => {
    const one = await pair();
    const { headers } = await send('GET', one.order);
    await removed(one.customer);
    await wait(one.customer);
    await claimEnded(registry, {}, Number.POSITIVE_INFINITY);
    const { status, headers: after } = await send('GET', one.order);
    expect([status, after.etag]).toEqual([200, headers.etag]);
    await restored(one.customer);
    expect((await send('GET', `${one.customer}/orders`)).json().items).toMatchObject([
      { orderId: numberOf(one.order) },
    ]);
    service.pass(HISTORY);
    await day();
    expect(await refers(one)).toBe(true);
  });

  test('is gone one second after the end of the history, in a new version', async () => {
    const one = await pair();
    await removed(one.customer);
    await passUntilEnd(one.customer, SECOND);
    expectProblem(await send('POST', `${one.customer}/versions/1/restore`), 404);
    expect((await send('GET', '/customers/removed')).json().items).toEqual([]);
    expect((await send('GET', `${one.order}/customer`)).json()).not.toHaveProperty('links');
    await day();
    expect(await refers(one)).toBe(false);
    expect((await send('GET', `${one.order}/customer`)).status).toBe(404);
    expect((await send('GET', `${one.order}/versions`)).json().items).toMatchObject([{ version: 2 }]);
    // No row is left, so a repeated day finds nothing.
    expect(await lastRow({ name: 'customers' }, numberOf(one.customer))).toBeUndefined();
    const { headers } = await send('GET', one.order);
    await day();
    expect((await send('GET', one.order)).headers.etag).toBe(headers.etag);
  });

  test.each([
    ['at half of the history', HISTORY / 2, true],
    ['after the history', HISTORY + SECOND, false],
  ])('of a bulk removal, %s', async (_, time, isThere) => {
    const all = await pairs(3);
    expect((await send('DELETE', '/customers')).status).toBe(204);
    service.pass(time);
    await day();
    if (isThere) for (const { customer } of all) await restored(customer);
    expect(await Promise.all(all.map(refers))).toEqual([isThere, isThere, isThere]);
  });

  test('goes after runs that are killed after their claim', async () => {
    const one = await pair();
    await removed(one.customer);
    await passUntilEnd(one.customer, SECOND);
    // The message of the killed run is lost.
    before = [{ operation: 'SendMessage', text: '', run: () => Promise.reject(new Error('killed')) }];
    await expect(claimEnded(registry, {}, Number.POSITIVE_INFINITY)).rejects.toThrow('killed');
    expectProblem(await send('POST', `${one.customer}/versions/1/restore`), 404);
    expect(await refers(one)).toBe(true);
    await day();
    expect(await refers(one)).toBe(false);
  });

  test('goes by several runs, if one does not suffice', async () => {
    const all = await pairs(2);
    const many = await service.client('POST', '/customers', {
      json: Array.from({ length: 99 }, () => ({ name: 'Ada' })),
    });
    expect(many.status).toBe(201);
    expect((await send('DELETE', '/customers')).status).toBe(202);
    await service.settle();
    const other = await pair();
    service.pass(HISTORY + SECOND);
    const rest = await claimEnded(registry, {}, 0);
    expect(rest).toMatchObject({ after: { resource: 'customers' } });
    expect(await claimEnded(registry, rest ?? {}, 0)).toBeUndefined();
    await day();
    expect(await Promise.all([...all, other].map(refers))).toEqual([false, false, true]);
  });

  test('stays if a late return is faster than the claim', async () => {
    const one = await pair();
    await removed(one.customer);
    await passUntilEnd(one.customer, -SECOND);
    const done = Promise.withResolvers<void>();
    let claim: Promise<unknown> = Promise.resolve();
    const begin = async () => {
      service.pass(2 * SECOND);
      before.push({ operation: 'UpdateItem', text: one.customer, run: () => done.promise });
      claim = claimEnded(registry, {}, Number.POSITIVE_INFINITY);
      await new Promise((resolve) => setTimeout(resolve, 50));
    };
    before = [{ operation: 'TransactWriteItems', text: one.customer, run: begin }];
    await restored(one.customer);
    done.resolve();
    await claim;
    await day();
    expect(await refers(one)).toBe(true);
    expect((await send('GET', one.customer)).status).toBe(200);
  });

  test('goes if the claim is faster than a late return', async () => {
    const one = await pair();
    await removed(one.customer);
    await passUntilEnd(one.customer, -SECOND);
    const claim = async () => {
      service.pass(2 * SECOND);
      await claimEnded(registry, {}, Number.POSITIVE_INFINITY);
    };
    before = [{ operation: 'TransactWriteItems', text: one.customer, run: claim }];
    expectProblem(await send('POST', `${one.customer}/versions/1/restore`), 404);
    await day();
    expect(await refers(one)).toBe(false);
  });

  test('goes at once in a release without the history', async () => {
    const one = await pair();
    await removed(one.customer);
    const later = registry.map((each) =>
      each.name === 'customers' ? { ...each, history: undefined } : each,
    ) as readonly Resource[];
    await claimEnded(later, {}, Number.POSITIVE_INFINITY);
    await day();
    expect(await refers(one)).toBe(false);
  });

  test('stays in a backfill while the item can return', async () => {
    const one = await pair();
    await removed(one.customer);
    const operationId = newIdentifier(testTime());
    await sqs().send(
      new SendMessageCommand({
        QueueUrl: queueUrl(names.queue),
        MessageBody: JSON.stringify({ operationId, backfill: 'orders' }),
        MessageGroupId: 'backfill',
      }),
    );
    await service.settle();
    expect((await send('GET', `/operations/${operationId}`)).json().status).toBe('Succeeded');
    expect(await refers(one)).toBe(true);
  });

  test('does not return with an item that was removed meanwhile', async () => {
    const one = await pair();
    await removed(one.customer);
    service.pass(HISTORY / 2);
    await removed(one.order);
    await restored(one.order);
    expect(await refers(one)).toBe(true);
    await removed(one.order);
    service.pass(HISTORY / 2 + SECOND);
    await day();
    expect((await send('POST', `${one.order}/versions/3/restore`)).status).toBe(201);
    expect(await refers(one)).toBe(false);
  });
});
