import { expect, test } from '@jest/globals';
import { BROWSER, sectionsOf } from '../../support/client/page.ts';
import { withOpened } from '../../support/service/opened.ts';

/*
 * Three references of a resource to another one. Source: Specification 2.59.
 */
const send = withOpened('ruled');

test('each reference has its link and its list on the other side', async () => {
  const shelf = await send('POST', '/shelves', { json: { name: 'a' } });
  const { id, links } = shelf.json();
  const path = shelf.headers.location as string;
  const of = ['moves', 'moves-by-to', 'moves-by-plan'];
  expect(links.filter(({ rel }) => of.includes(rel))).toEqual([
    { rel: 'moves', href: `/moves?fromId=${id}`, method: 'GET', title: 'Moves (From)' },
    { rel: 'moves-by-to', href: `/moves?toId=${id}`, method: 'GET', title: 'Moves (To)' },
    { rel: 'moves-by-plan', href: `/moves?planId=${id}`, method: 'GET', title: 'Moves (Planned)' },
  ]);
  for (const field of ['fromId', 'toId', 'planId']) {
    const made = await send('POST', '/moves', { json: { name: `by ${field}`, [field]: id } });
    expect(made.status).toBe(201);
    const { items } = (await send('GET', `/moves?${field}=${id}`)).json();
    expect(items.map(({ name }) => name)).toEqual([`by ${field}`]);
  }
  const page = (await send('GET', path, { headers: BROWSER })).text;
  const sections = sectionsOf(page);
  expect([...sections.keys()].filter((one) => one.startsWith('Moves'))).toEqual([
    'Moves (From)',
    'Moves (To)',
  ]);
  expect(sections.get('Moves (From)')).toContain('by fromId');
  expect(sections.get('Moves (To)')).toContain('by toId');
  expect(sections.get('Moves (To)')).not.toContain('by fromId');
  // No index finds the items of the third reference, so the page has a link to their list.
  expect(page).toContain(`<a href="/moves?planId=${id}">Moves (Planned)</a>`);
  expect(page.split(`/moves?fromId=${id}"`)).toHaveLength(1);
});
