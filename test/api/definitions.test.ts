import { expect, test } from '@jest/globals';
import { integer, process, resource, text } from 'resource-api';

test('a resource with two processes does not start', () => {
  const states = { open: { close: 'closed' }, closed: {} } as const;
  const fields = { status: process(states), mood: process(states) };
  expect(() => resource('tasks', { about: 'Things to do.', fields })).toThrow(
    "functions/tasks.ts: 'status' and 'mood' are processes. An item has one",
  );
});

test('a transition leads to one state', () => {
  expect(() => process({ draft: { end: 'sent' }, sent: { end: 'paid' }, paid: {} })).toThrow(
    "The transition 'end' leads to sent and paid: give it one state",
  );
});

test('a resource whose plural is not regular states its singular', () => {
  const facts = { about: 'People.', fields: { name: text() } };
  expect(() => resource('people', facts)).toThrow("the singular of 'people' is not clear");
  expect(resource('people', { ...facts, singular: 'person' }).description.singular).toBe('person');
});

test('lists can have the order of a computed field', () => {
  const made = resource('boxes', {
    about: 'Boxes.',
    fields: { width: integer({ required: true }), height: integer({ required: true }) },
    computed: {
      area: {
        as: integer({ sortable: true, filters: { minArea: 'gte' } }),
        value: ({ width, height }) => width * height,
      },
    },
  });
  expect(made.sortable).toEqual(['area']);
  expect(made.filters).toEqual({ minArea: 'area.gte' });
});
