import { expect, test } from '@jest/globals';
import { integer, process, resource, text } from 'resource-api';
import { wrongConstraints } from '../../service/wrong-facts/constraints.ts';

const jobs = resource('jobs', {
  about: 'Jobs of a garage.',
  fields: {
    note: text({ lockedIn: ['billed'] }),
    hours: integer({ maximum: 5, server: true }),
    // No transition leads to `billed`: an action sets it.
    status: process({ planned: { end: 'done' }, done: {}, billed: {} }),
  },
  check: ({ note, status }) => (note === 'long' ? { hours: 9 } : { note: `is ${status}` }),
});

test('the check of a new item knows its first state', async () => {
  expect(await jobs.complete?.({}, { sent: [] })).toEqual({
    kind: 'complete',
    values: { note: 'is planned' },
  });
});

test('a value that a check returns obeys the rules of its field, also if only the service sets it', async () => {
  expect(await jobs.complete?.({ note: 'long' }, { sent: ['note'] })).toMatchObject({
    kind: 'refused',
    problem: { errors: [{ pointer: '/hours', detail: 'must be at most 5' }] },
  });
});

test('a field may be locked in a state that no transition leads to', () => {
  expect(wrongConstraints(jobs, [jobs])).toEqual([]);
});
