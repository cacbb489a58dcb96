import { expect, test } from '@jest/globals';
import { expectProblem } from '../../support/client/problem.ts';
import { eventually } from '../../support/eventually.ts';
import { withConstraints } from '../../support/service/constrained.ts';
import { unique } from '../../support/service/under-test.ts';

/* The relation, the link, the filter and the nested list of notes follow from their reference to a contact. */
const { send, made } = withConstraints();

const html = { headers: { Accept: 'text/html' } };

// Specification 2.33, 2.35
test('an item with a reference has a link to the other item, alone and in lists', async () => {
  const contact = await made('/contacts', { name: 'Ada' });
  const note = await made('/notes', { text: 'a', contactId: contact.id });
  const link = { rel: 'contact', href: contact.path, method: 'GET' };
  expect((await send('GET', note.path)).json().links).toContainEqual(link);
  const [listed] = (await send('GET', `/notes?contactId=${contact.id}`)).json().items;
  expect(listed?.links).toContainEqual(link);
  const { path } = await made('/notes', { text: 'b' });
  const rels = (await send('GET', path)).json().links.map(({ rel }: { rel: string }) => rel);
  expect(rels).not.toContain('contact');
});

// Specification 4.24
test('an item shows the other item inside, and null after it is removed', async () => {
  const contact = await made('/contacts', { name: 'Ada' });
  const note = await made('/notes', { text: 'a', contactId: contact.id });
  const expanded = async () => (await send('GET', `${note.path}?expand=contact`)).json();
  expect((await expanded()).contact).toMatchObject({ id: contact.id, name: 'Ada' });
  expect((await send('DELETE', contact.path)).status).toBe(204);
  expect((await expanded()).contact).toBeNull();
  await eventually(async () => expect(await expanded()).not.toHaveProperty('contactId'));
  expect((await expanded()).contact).toBeNull();
});

test('a page names the other item and leads to it', async () => {
  const name = unique('Ada');
  const contact = await made('/contacts', { name });
  const note = await made('/notes', { text: 'a', contactId: contact.id });
  expect((await send('GET', note.path, html)).text).toContain(`<a href=${contact.path}>${name}</a>`);
  expect((await send('GET', '/notes', html)).text).toContain(`<a href=${contact.path}>${name}</a>`);
  expect((await send('GET', `${note.path}/edit`, html)).text).toContain(name);
});

test('the list below the other item has its items, and creates items that refer to it', async () => {
  const contact = await made('/contacts', { name: 'Ada' });
  const { path } = await made(`${contact.path}/notes`, { text: 'a' });
  expect((await send('GET', path)).json().contactId).toBe(contact.id);
  expect((await send('GET', `${contact.path}/notes`)).json().items).toHaveLength(1);
  expectProblem(
    await send('POST', `${contact.path}/notes`, { json: { contactId: contact.id + 1 } }),
    409,
    'conflict',
  );
  expect((await send('DELETE', contact.path)).status).toBe(204);
  expectProblem(await send('POST', `${contact.path}/notes`, { json: { text: 'b' } }), 404, 'not-found');
  expectProblem(await send('GET', `${contact.path}/notes`), 404, 'not-found');
});
