import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { names } from '../../local/provision/names.ts';
import { s3 } from '../../shared/aws/clients/s3.ts';
import { change } from '../../shared/operations/record/record.ts';
import { ownerNumber } from '../../shared/resource/access/owner.ts';
import { compare } from '../../shared/store/write/expression.ts';
import { withTimePassed } from '../support/clock.ts';
import { attachedBetween, calls, clearFaults, next } from './fault-injection.ts';
import { ask, bodyOf, later, membersCalled, recordOf, shown, taken, work, workAll } from './world.ts';

/** The record and the message of an accepted request, and their removal. */
attachedBetween();

beforeEach(async () => {
  process.env.LEASE_SECONDS = '30';
  await workAll();
});
afterEach(clearFaults);

const KEY = { 'idempotency-key': 'once', prefer: 'respond-async' };
const WEEK = 7 * 24 * 3600;

// Specification 7.12
describe('a message that the service cannot send', () => {
  test('fails the operation, and the client gets 503 and a free key at once', async () => {
    next('SendMessage', 'fails', { times: 3 });
    const refused = await ask('POST', '/members', { json: { name: 'unsent' }, headers: KEY });
    expect(refused).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    const { items } = bodyOf(await ask('GET', '/operations')) as { items: Record<string, unknown>[] };
    expect(items.at(-1)).toMatchObject({ status: 'Failed', error: { status: 503, instance: '/members' } });
    const again = await ask('POST', '/members', { json: { name: 'unsent' }, headers: KEY });
    expect(again.status).toBe(202);
    await workAll();
    expect(await membersCalled('unsent')).toBe(1);
  });

  test('has no effect if it arrived after the operation had failed', async () => {
    next('SendMessage', 'answer lost', { times: 3 });
    expect(
      (await ask('POST', '/members', { json: { name: 'lost' }, headers: { prefer: 'respond-async' } }))
        .status,
    ).toBe(503);
    expect(await workAll()).toBe(3);
    expect(await membersCalled('lost')).toBe(0);
  });

  test('gets 202 if it arrived and a worker already started', async () => {
    let id = 0;
    next(
      'SendMessage',
      async () => {
        id = JSON.parse((await taken())?.body ?? '{}').operationId;
        await work(id);
        throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', name: 'TimeoutError' });
      },
      { times: 1 },
    );
    next('SendMessage', 'fails', { times: 2 });
    const { status } = await ask('POST', '/members', {
      json: { name: 'begun' },
      headers: { prefer: 'respond-async' },
    });
    expect(status).toBe(202);
    expect((await shown(id)).status).toBe('Succeeded');
  });
});

test('the record is written once if the response to its write is lost', async () => {
  const recorded = async () => (bodyOf(await ask('GET', '/operations')).items as unknown[]).length;
  const before = await recorded();
  next('PutItem', 'answer lost');
  const id = await later('POST', '/members', { json: { name: 'recorded' } });
  expect(await recorded()).toBe(before + 1);
  expect(await workAll()).toBe(1);
  expect((await shown(id)).status).toBe('Succeeded');
});

// Specification 7.12
test('the message has a number of the caller as its group', async () => {
  const sent: string[] = [];
  for (const subject of ['grouped 1', 'grouped 2', 'grouped 1']) {
    const holding = `"MessageGroupId":"${ownerNumber(subject)}"`;
    next('SendMessage', () => void sent.push(subject), { holding });
    await later('POST', '/members', { json: { name: 'grouped' }, subject });
  }
  expect(sent).toEqual(['grouped 1', 'grouped 2', 'grouped 1']);
  expect(ownerNumber('grouped 1')).not.toBe(ownerNumber('grouped 2'));
  await workAll();
});

describe('a large request', () => {
  const inputs = async () =>
    (await s3().send(new ListObjectsV2Command({ Bucket: names.bucket, Prefix: 'operations/' }))).Contents ??
    [];
  const json = { name: 'large', open: 'x'.repeat(40_000) };

  test('is an object in S3 until it is done', async () => {
    const id = await later('POST', '/members', { json });
    expect((await inputs()).map(({ Key }) => Key)).toContain(`operations/${id}`);
    expect(await recordOf(id)).not.toHaveProperty('_input');
    await work(id);
    expect((await shown(id)).status).toBe('Succeeded');
    expect((await inputs()).map(({ Key }) => Key)).not.toContain(`operations/${id}`);
    expect(await membersCalled('large')).toBe(1);
  });

  test('stays while another run needs it', async () => {
    const id = await later('POST', '/members', { json });
    next('TransactWriteItems', async () => {
      const set = { _lease: { S: 'another' } };
      await change(id, { set, condition: compare('status', '=', { S: 'Running' }), now: 0 });
    });
    await work(id);
    expect((await shown(id)).status).toBe('Running');
    expect((await inputs()).map(({ Key }) => Key)).toContain(`operations/${id}`);
  });

  test('runs later if S3 does not return it now', async () => {
    const id = await later('POST', '/members', { json });
    next('', 'fails', { times: 3 });
    expect(await work(id)).toBe(false);
    expect((await recordOf(id))._lease).toBeUndefined();
    expect(await work(id)).toBe(true);
    expect((await shown(id)).status).toBe('Succeeded');
  });

  test('is in the record alone if it is small', async () => {
    const id = await later('POST', '/members', { json: { name: 'small' } });
    expect((await inputs()).map(({ Key }) => Key)).not.toContain(`operations/${id}`);
    expect(await recordOf(id)).toHaveProperty('_input');
  });
});

describe('a record', () => {
  // Specification 7.9
  test('expires in DynamoDB a week after the end, and the service ignores it from that moment', async () => {
    const id = await later('POST', '/members', { json: { name: 'old' } });
    await work(id);
    const { _expires: expires, completedAt } = await recordOf(id);
    expect(Number(expires?.N)).toBe(Math.ceil(Number(completedAt?.N) / 1000) + WEEK);
    await withTimePassed((WEEK + 1) * 1000, async () => {
      expect((await ask('GET', `/operations/${id}`)).status).toBe(404);
      const { items } = bodyOf(await ask('GET', '/operations')) as { items: { operationId: number }[] };
      expect(items.map(({ operationId }) => operationId)).not.toContain(id);
    });
  });

  test('contains nothing of the request after the end', async () => {
    const id = await later(
      'PATCH',
      (await ask('POST', '/members', { json: { name: 'x' } })).headers.Location as string,
      {
        json: { age: 1 },
        headers: { 'content-type': 'application/merge-patch+json', authorization: 'Bearer secret' },
      },
    );
    expect(JSON.stringify(await recordOf(id))).not.toContain('secret');
    await work(id);
    expect(
      Object.keys(await recordOf(id)).filter((name) => /^_(input|lease|pending|due|cursor)/.test(name)),
    ).toEqual([]);
  });
});

describe('an operation', () => {
  // Specification 7.9, 11.4
  test('is hidden from other callers: by id, in the list and for cancellation', async () => {
    const id = await later('POST', '/members', { json: { name: 'mine' }, subject: 'ada' });
    const of = (subject?: string) => (method: string, path: string) =>
      ask(method, path, subject === undefined ? {} : { subject });
    for (const other of [of('eve'), of()]) {
      expect((await other('GET', `/operations/${id}`)).status).toBe(404);
      expect((await other('DELETE', `/operations/${id}`)).status).toBe(404);
      const { items } = bodyOf(await other('GET', '/operations')) as { items: { operationId: number }[] };
      expect(items.map(({ operationId }) => operationId)).not.toContain(id);
    }
    expect((await of('ada')('GET', `/operations/${id}`)).status).toBe(200);
    const { items } = bodyOf(await of('ada')('GET', '/operations')) as { items: { operationId: number }[] };
    expect(items.map(({ operationId }) => operationId)).toEqual([id]);
  });

  test('is hidden from other callers who wait', async () => {
    const id = await later('POST', '/members', { json: { name: 'mine' }, subject: 'ada' });
    const reads = await calls('GetItem', () =>
      ask('GET', `/operations/${id}`, { subject: 'eve', headers: { prefer: 'wait=1' } }),
    );
    expect(reads).toBe(1);
  });
});

describe('a hundred requests with one key', () => {
  test('become one operation, and all get its path', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        ask('POST', '/members', {
          json: { name: 'raced' },
          headers: { 'idempotency-key': 'raced', prefer: 'respond-async' },
        }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ headers }) => headers.Location)).size).toBe(1);
    await workAll();
    expect(await membersCalled('raced')).toBe(1);
  });
});

// Specification 5.15
test('an upload operation gives new links for a day, and none after it', async () => {
  const id = await later('POST', '/files', { json: [{ filename: 'awaited', size: 1 }] });
  const renew = () => ask('POST', `/operations/${id}/links`);
  expect((await renew()).status).toBe(202);
  const refused = await withTimePassed(24 * 3_600_000 + 1, renew);
  expect([refused.status, bodyOf(refused).type]).toEqual([409, '/problems/operation-finished']);
});

test('a registration of files stores all of them, although S3 fails for one of them at first', async () => {
  const json = ['first', 'second'].map((filename) => ({ filename, content: 'eA==' }));
  const id = await later('POST', '/files', { json });
  next('', 'fails', { times: 99, path: '/files/second' });
  await work(id);
  expect(await shown(id)).toMatchObject({ status: 'Running' });
  clearFaults();
  await work(id);
  expect(await shown(id)).toMatchObject({ status: 'Succeeded', progress: { done: 2, failed: 0 } });
});
