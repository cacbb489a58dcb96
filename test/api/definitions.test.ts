import { expect, test } from '@jest/globals';
import { boolean, date, every, integer, process, reference, resource, text, today } from 'resource-api';
import { wrongFacts } from '../../service/wrong-facts/resources.ts';
import { wrongSchedules } from '../../service/wrong-facts/schedules.ts';
import { withComputed } from '../../shared/resource/description/values.ts';
import type { Needs } from '../../shared/resource/needs.ts';

test('a resource with two processes does not start', () => {
  const states = { open: { close: 'closed' }, closed: {} } as const;
  const fields = { status: process(states), mood: process(states) };
  expect(() => resource('tasks', { about: 'Things to do.', fields })).toThrow(
    "'status' and 'mood' are processes. An item has one",
  );
});

test('a computed value does not have the name of a field', () => {
  const computed = { width: { as: integer(), value: () => 1 } };
  expect(() => resource('boxes', { about: 'Boxes.', fields: { width: integer() }, computed })).toThrow(
    "'width' is a field too: rename one",
  );
});

test('two fields do not have one further name of a filter', () => {
  const field = integer({ filters: { big: 'gte' } });
  expect(() => resource('boxes', { about: 'Boxes.', fields: { width: field, height: field } })).toThrow(
    'Two filters have the name big: rename one',
  );
});

test('needs names what exists, in words that a variable can have, and code uses it', () => {
  const wrong = (needs: Needs, onChange?: () => Promise<void>) =>
    wrongFacts([resource('notes', { about: 'N.', fields: {}, needs, ...(onChange ? { onChange } : {}) })]);
  const code = async () => {};
  expect(wrong({ variables: ['MAIL_FROM'], may: [{ actions: ['ses:Send*'], on: ['*'] }] }, code)).toEqual([]);
  expect(wrong({ secrets: ['mail-key'] }, code)).toEqual([
    "functions/notes.ts: needs names 'mail-key': use capital letters, digits and _, such as MAIL_KEY.",
  ]);
  expect(wrong({ variables: ['KEY'], secrets: ['KEY'] }, code)).toEqual([
    "functions/notes.ts: needs names 'KEY' twice: remove one of them.",
  ]);
  expect(wrong({ may: [{ actions: ['*'], on: [] }] }, code)).toEqual([
    "functions/notes.ts: needs.may has '*', which is not an action of AWS: use one such as ses:SendEmail.",
    'functions/notes.ts: needs.may has a statement without actions or without resources (on): give both.',
  ]);
  expect(wrong({ variables: ['KEY'] })).toEqual([
    'functions/notes.ts: needs has no effect, because no action, no onChange and no view uses it: remove it.',
  ]);
});

test('the condition of an action does not follow the day', () => {
  const when = ({ due }: { due?: string }) => due === undefined || due < today() || 'It is not due';
  const actions = { remind: { when, run: () => undefined } };
  expect(wrongFacts([resource('notes', { about: 'N.', fields: { due: date() }, actions })])).toEqual([
    "functions/notes.ts: the condition of the action 'remind' uses today(), which changes no item: compare in run, and refuse.",
  ]);
});

test('an item that is always under another one has its field', () => {
  const shelves = resource('shelves', { singular: 'shelf', about: 'Shelves.', fields: { name: text() } });
  const under = { of: shelves, required: true } as const;
  const fields = { shelfId: reference(shelves) };
  expect(() => resource('boxes', { about: 'Boxes.', under, fields })).toThrow(
    "Each item is under shelves: state required: true for 'shelfId', or leave it out",
  );
});

// Specification 21.1
test.each([
  [{}, 'needs one of at, hours and minutes'],
  [{ at: '02:00', hours: 6 }, 'needs one of at, hours and minutes'],
  [{ at: '2:00' }, "runs at '2:00': use a time from 00:00 to 23:59, such as 02:00"],
  [
    { at: '02:00', zone: 'Europe/Berln' },
    "has the unknown zone 'Europe/Berln': use a name like Europe/Berlin",
  ],
  [{ at: '02:00', on: 'monday', day: 1 }, 'has on and day: remove one of them'],
  [{ at: '02:00', day: 31 }, 'runs on the day 31 of a month: use 1 to 28, which each month has'],
  [{ hours: 5 }, 'runs each 5 hours: use a divisor of 24'],
  [{ minutes: 45 }, 'runs each 45 minutes: use a divisor of 60'],
  [{ minutes: 15, zone: 'UTC' }, 'has zone, which belongs to at: remove it, or use at'],
] as const)('a schedule with the times %j does not start', (times, sentence) => {
  expect(() => every('nightly', { about: 'N.', ...times, run: () => {} })).toThrow(
    `The schedule 'nightly' ${sentence}.`,
  );
});

test('a schedule that writes items with owners does not start', () => {
  const notes = resource('notes', { about: 'N.', owner: 'subject', fields: {} });
  expect(() => every('nightly', { about: 'N.', hours: 6, writes: [notes], run: () => {} })).toThrow(
    "The schedule 'nightly' writes notes, whose items have owners, and a schedule owns nothing: remove it from writes.",
  );
});

test('a schedule has a name of its own, and resources of the service', () => {
  const notes = resource('notes', { about: 'N.', fields: {} });
  const named = (name: string) => ({
    schedule: every(name, { about: 'N.', hours: 6, writes: [notes], run: () => {} }),
    file: `functions/${name}.ts`,
  });
  expect(wrongSchedules([named('nightly')], [notes])).toEqual([]);
  expect(wrongSchedules([named('notes'), named('by-night')], [notes])).toEqual([
    "functions/notes.ts: the name 'notes' is that of a resource or of another schedule: choose another one.",
    "functions/by-night.ts: the name 'by-night' cannot be a part of the name of a queue: use small letters and digits.",
  ]);
  expect(wrongSchedules([named('nightly')], [])).toEqual([
    "functions/nightly.ts: it needs the items of 'notes', which is not a resource of the service: correct reads or writes.",
  ]);
});

test('a transition leads to one state', () => {
  expect(() => process({ draft: { end: 'sent' }, sent: { end: 'paid' }, paid: {} })).toThrow(
    "The transition 'end' leads to sent and paid: give it one state",
  );
});

test('a resource whose plural is not regular states its singular', () => {
  const facts = { about: 'People.', fields: { name: text() } };
  expect(() => resource('people', facts)).toThrow("The singular of 'people' is not clear");
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

test('a property of every JavaScript object does not count as a filter or a field of the same name', () => {
  const made = resource('fields', {
    about: 'Fields of a farm.',
    fields: { area: integer({ sortable: true, filters: { constructor: 'gte' as const } }) },
    computed: { valueOf: { as: text(), value: () => undefined } },
  });
  expect(made.filters).toEqual({ constructor: 'area.gte' });
  expect(wrongFacts([made]).join()).toContain(
    "'valueOf' has the name of a property of every JavaScript object",
  );
});

test.each([
  ['delete', "the action 'delete' has the path of a form: rename it"],
  ['edit', "the action 'edit' has the path of a form: rename it"],
  ['close', "the action 'close' has the name of a transition: rename one of them"],
])('an action does not have the name %s of another endpoint', (id, sentence) => {
  const made = resource('tasks', {
    about: 'Things to do.',
    fields: { state: process({ open: { close: 'closed' }, closed: {} }) },
    actions: { [id]: { run: () => undefined } },
  });
  expect(wrongFacts([made]).join()).toContain(sentence);
});

test.each([
  ['delete', "the transition 'delete' has the path of a form: rename it"],
  ['edit', "the transition 'edit' has the path of a form: rename it"],
  ['versions', "the transition 'versions' has a path of history: rename it"],
  ['removed', "the action 'removed' has a path of history: rename it"],
])('a transition or an action does not have the path %s of the service', (id, sentence) => {
  const made = resource('tasks', {
    about: 'Things to do.',
    fields: { state: process({ open: { [id]: 'closed' }, closed: {} }) },
    actions: { removed: { at: 'collection', run: () => undefined } },
    history: { days: 1 },
  });
  expect(wrongFacts([made]).join()).toContain(sentence);
});

test('a state does not have the event of a removal', () => {
  const fields = { state: process({ open: { end: 'removed' }, removed: {} }) };
  expect(wrongFacts([resource('tasks', { about: 'Things to do.', fields })])).toEqual([
    "functions/tasks.ts: the state 'removed' has the event of a removal: rename it.",
  ]);
});

test('two references do not have one relation', () => {
  const tasks = resource('tasks', { about: 'Things to do.', fields: {} });
  const fields = { taskId: reference(tasks), otherId: reference(tasks, { as: 'task' }) };
  expect(wrongFacts([tasks, resource('notes', { about: 'Notes.', fields })])).toEqual([
    "functions/notes.ts: 'taskId' refers to 'tasks' and has no relation of its own: end its name with Id, or set as.",
  ]);
});

test('a value that is true or false is not unique', () => {
  const made = resource('tasks', {
    about: 'Things to do.',
    fields: { done: boolean({ unique: true }), note: text({ unique: true }) },
  });
  expect(wrongFacts([made])).toEqual([expect.stringContaining("the values of 'done' cannot be compared")]);
});

test('a computed value of another kind is an error that names the field', () => {
  const { description } = resource('boxes', {
    about: 'Boxes.',
    fields: { width: integer({ required: true }) },
    computed: { half: { as: integer(), value: ({ width }) => width / 2 } },
  });
  expect(withComputed(description.plan, { width: 4 })).toEqual({ width: 4, half: 2 });
  expect(() => withComputed(description.plan, { width: 3 })).toThrow(
    "boxes: 'half' computes 1.5, and the kind integer has no such value.",
  );
});

test.each<[string, (values: { due?: string | undefined; open?: boolean | undefined }) => boolean]>([
  ['at once', ({ due = '' }) => due < today()],
  ['after a value that is true', ({ due = '', open }) => open === true && due < today()],
  ['after a value that is false', ({ due = '', open }) => open === false && due < today()],
])('a stored value that asks for the day does not start: %s', (_, value) => {
  const made = resource('loans', {
    about: 'Loans.',
    fields: { due: date(), open: boolean() },
    computed: { late: { as: boolean(), value } },
  });
  const sentence =
    "'late' is stored, so it cannot use today(): state at: 'read', and take today from the second argument of value";
  expect(wrongFacts([made])).toEqual([`functions/loans.ts: ${sentence}.`]);
  const write = (open: boolean) => withComputed(made.description.plan, { due: '2026-01-01', open });
  expect(() => [true, false].map(write)).toThrow(sentence);
});

test('the day is free outside of stored values', () => {
  expect(today()).toMatch(/^\d{4}-\d\d-\d\d$/);
});

test('a value at reading has no order', () => {
  const late = { as: boolean({ sortable: true }), at: 'read', value: () => true } as const;
  expect(() => resource('loans', { about: 'Loans.', fields: { due: date() }, computed: { late } })).toThrow(
    "'late' is computed for each response, so no list has its order: remove sortable and filters",
  );
});
