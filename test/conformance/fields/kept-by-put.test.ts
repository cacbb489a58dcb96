import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../../support/client/client.ts';
import { ended } from '../../support/client/operation.ts';
import { JSON_PATCH, MERGE_PATCH } from '../../support/client/patches.ts';
import { eventually } from '../../support/eventually.ts';
import { withConstraints } from '../../support/service/constrained.ts';

/*
 * A PUT keeps the contact of a note if it leaves it out (`keptByPut`, Specification 2.8). The service computes the
 * label of a note from its text and its contact (decision 53).
 */
const { send, made } = withConstraints();

const ASYNC = { Prefer: 'respond-async' };
const LENIENT = { Prefer: 'handling=lenient' };
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const key = () => ({ 'Idempotency-Key': `"${crypto.randomUUID()}"` });

interface Note {
  readonly path: string;
  readonly id: number;
  readonly contact: number;
}

/** A note of a new contact. */
async function noted(): Promise<Note> {
  const contact = await made('/contacts');
  const note = await made('/notes', { text: 'a', contactId: contact.id, priority: 'high' });
  return { ...note, contact: contact.id };
}

/** The note after a request, and after the operation that the request may have started. */
async function after(note: { readonly path: string }, answer: Answer) {
  expect(answer.status).toBeLessThan(400);
  if (answer.status === 202) expect((await ended(answer, send)).json().status).toBe('Succeeded');
  return (await send('GET', note.path)).json();
}

type Write = (note: Note, json: object) => Promise<Answer>;
const WRITES: readonly (readonly [string, Write])[] = [
  ['PUT', ({ path }, json) => send('PUT', path, { json })],
  ['PUT with a key', ({ path }, json) => send('PUT', path, { json, headers: key() })],
  ['PUT that responds later', ({ path }, json) => send('PUT', path, { json, headers: ASYNC })],
  ['PUT of a list', ({ id }, json) => send('PUT', '/notes', { json: [{ id, ...json }] })],
  [
    'lenient PUT of a list',
    ({ id }, json) => send('PUT', '/notes', { json: [{ id, ...json }], headers: LENIENT }),
  ],
  [
    'PUT of a list that responds later',
    ({ id }, json) => send('PUT', '/notes', { json: [{ id, ...json }], headers: ASYNC }),
  ],
  [
    'PUT of a list below the contact',
    ({ id, contact }, json) => send('PUT', `/contacts/${contact}/notes`, { json: [{ id, ...json }] }),
  ],
];

describe.each(WRITES)('%s', (_, write) => {
  test('keeps the value that it leaves out', async () => {
    const note = await noted();
    const changed = await after(note, await write(note, { text: 'b' }));
    const label = `b ${note.contact}`;
    expect(changed).toMatchObject({ text: 'b', contactId: note.contact, priority: 'high', label });
  });
});

describe.each(WRITES.slice(0, -1))('%s', (_, write) => {
  test('removes the value by null', async () => {
    const note = await noted();
    const changed = await after(note, await write(note, { text: 'b', contactId: null, priority: null }));
    expect(changed.text).toBe('b');
    expect(changed).not.toHaveProperty('priority');
    expect(changed).not.toHaveProperty('contactId');
    expect(changed).not.toHaveProperty('label');
  });
});

const CHANGES: readonly (readonly [string, (path: string) => Promise<Answer>])[] = [
  ['a merge patch', (path) => send('PATCH', path, { json: { text: 'b' }, headers: MERGE_PATCH })],
  [
    'a JSON Patch',
    (path) =>
      send('PATCH', path, {
        body: JSON.stringify([{ op: 'replace', path: '/text', value: 'b' }]),
        headers: JSON_PATCH,
      }),
  ],
  ['POST of a change', (path) => send('POST', path, { json: { text: 'b' } })],
  ['the edit form', (path) => send('POST', `${path}/edit`, { body: 'text=b&contactId=', headers: FORM })],
  ['a PUT with null', (path) => send('PUT', path, { json: { text: 'b', contactId: null } })],
];

test.each(CHANGES)('%s of an item without the value stores no null', async (_, change) => {
  const note = await made('/notes', { text: 'a' });
  const changed = await after(note, await change(note.path));
  expect(changed.text).toBe('b');
  expect(changed).not.toHaveProperty('contactId');
});

test.each(CHANGES.slice(0, 3))('%s of an item with the value keeps it and its label', async (_, change) => {
  const note = await noted();
  const changed = await after(note, await change(note.path));
  expect(changed).toMatchObject({ text: 'b', contactId: note.contact, label: `b ${note.contact}` });
});

test.each([
  ['merge patch', (path: string) => send('PATCH', path, { json: { text: 'b' }, headers: MERGE_PATCH })],
  ['change', (path: string) => send('POST', path, { json: { text: 'b' } })],
  ['form', (path: string) => send('POST', path, { body: 'text=b', headers: FORM })],
])('a %s does not bring a removed value back by its default', async (_, change) => {
  const note = await noted();
  await after(note, await send('PUT', note.path, { json: { text: 'a', priority: null } }));
  expect(await after(note, await change(note.path))).toMatchObject({ text: 'b' });
  expect((await send('GET', note.path)).json()).not.toHaveProperty('priority');
});

test('a merge patch removes a value that has a default', async () => {
  const note = await noted();
  const answer = await send('PATCH', note.path, { json: { priority: null }, headers: MERGE_PATCH });
  expect(await after(note, answer)).not.toHaveProperty('priority');
});

test('a PUT without the value keeps the note in the list of its contact', async () => {
  const note = await noted();
  expect((await send('PUT', note.path, { json: { text: 'b' } })).status).toBe(200);
  const { items } = (await send('GET', `/contacts/${note.contact}/notes`)).json();
  expect(items.map(({ id }: { id: number }) => id)).toEqual([note.id]);
});

describe('the label of a new note of a contact', () => {
  const creations: readonly (readonly [string, (contact: number) => Promise<Answer>])[] = [
    ['POST', (contactId) => send('POST', '/notes', { json: { text: 'a', contactId } })],
    ['POST below the contact', (id) => send('POST', `/contacts/${id}/notes`, { json: { text: 'a' } })],
    ['POST of a list', (contactId) => send('POST', '/notes', { json: [{ text: 'a', contactId }] })],
    ['POST of a list below it', (id) => send('POST', `/contacts/${id}/notes`, { json: [{ text: 'a' }] })],
    [
      'POST of a list that responds later',
      (contactId) => send('POST', '/notes', { json: [{ text: 'a', contactId }], headers: ASYNC }),
    ],
  ];
  test.each(creations)('is computed by %s', async (_, create) => {
    const { id } = await made('/contacts');
    const answer = await create(id);
    if (answer.status === 202) await ended(answer, send);
    const { items } = (await send('GET', `/contacts/${id}/notes`)).json();
    expect(items).toMatchObject([{ text: 'a', contactId: id, label: `a ${id}` }]);
  });
});

test('the label goes with the contact', async () => {
  const note = await noted();
  expect((await send('DELETE', `/contacts/${note.contact}`)).status).toBe(204);
  await eventually(async () => {
    const changed = (await send('GET', note.path)).json();
    expect(changed).not.toHaveProperty('contactId');
    expect(changed).not.toHaveProperty('label');
  });
});
