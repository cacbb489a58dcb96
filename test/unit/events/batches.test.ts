import { expect, test } from '@jest/globals';
import {
  batches,
  entryBytes,
  entryOf,
  MAXIMUM_BYTES,
  type Pending,
} from '../../../functions/events/batches.ts';
import type { CloudEvent } from '../../../shared/events/cloud-event.ts';

const event = (subject: string, characters = 10): CloudEvent => ({
  specversion: '1.0',
  id: 'e',
  source: '/customers',
  type: 'customer.created',
  subject,
  time: '2026-11-21T10:00:00.000Z',
  sequence: '0000000001',
  datacontenttype: 'application/json',
  data: { text: 'é'.repeat(characters) },
});

const pending = (subject: string, characters?: number): Pending => ({
  entry: entryOf(event(subject, characters), 'bus'),
  subject,
  sequenceNumber: subject,
});

const cut = (all: readonly Pending[]) => batches(all).map((batch) => batch.map(({ subject }) => subject));

test('a batch has at most ten entries', () => {
  const subjects = Array.from({ length: 23 }, (_, n) => `/customers/${n}`);
  expect(cut(subjects.map((one) => pending(one))).map(({ length }) => length)).toEqual([10, 10, 3]);
});

test('a batch has each subject once', () => {
  expect(cut(['a', 'b', 'a', 'a', 'c', 'b'].map((one) => pending(one)))).toEqual([
    ['a', 'b'],
    ['a'],
    ['a', 'c', 'b'],
  ]);
});

test('a batch has at most 256 KB', () => {
  expect(cut(['a', 'b', 'c'].map((one) => pending(one, 60_000)))).toEqual([['a', 'b'], ['c']]);
  expect(cut([])).toEqual([]);
});

test('an event that is too large has no data and names its source', () => {
  const entry = entryOf(event('/customers/5', 200_000), 'bus');
  const { data, datacontenttype, ...rest } = event('/customers/5');
  expect(JSON.parse(entry.Detail)).toEqual({ ...rest, dataref: '/customers/5' });
  expect(entryBytes(entry)).toBeLessThan(MAXIMUM_BYTES);
  expect(entryOf(event('/customers/5', 100_000), 'bus').Detail).toContain('éé');
});

test('an entry names its bus and its type', () => {
  const { Detail, ...entry } = entryOf(event('/customers/5'), 'bus');
  expect(entry).toEqual({
    EventBusName: 'bus',
    Source: 'resource-api',
    DetailType: 'customer.created',
    Time: new Date('2026-11-21T10:00:00.000Z'),
  });
  expect(JSON.parse(Detail)).toEqual(event('/customers/5'));
});
