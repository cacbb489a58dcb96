/** Runs the steps of a service of the package with the types that openapi-typescript makes of its description. */

import createClient from 'openapi-fetch';
import type { paths } from './api/api';
import { equal, given, IMAGE, step } from './report';

const api = createClient<paths>({ baseUrl: process.argv[2] ?? '' });

await step(1, async () => {
  const { data } = await api.POST('/samples', {
    body: {
      ...{ name: 'Ada', code: 'AB1', size: 'large', email: 'ada@example.org', site: 'https://example.org/' },
      ...{ count: 2, amount: 120.5, due: '2026-11-22', at: '2026-11-22T10:00:00.000Z', paid: true },
      ...{
        tags: ['a', 'b'],
        address: { city: 'Oslo', since: '2026-01-01', rent: 1.5, own: false },
        serial: '7',
      },
    },
  });
  if (!data || !('id' in data)) throw new Error('there is no sample');
  const { total, tags, address, due, at, paid, size } = data;
  equal(total, 241);
  equal(JSON.stringify([tags, address?.city, address?.rent]), '[["a","b"],"Oslo",1.5]');
  equal([due, at, paid, size].join(' '), '2026-11-22 2026-11-22T10:00:00.000Z true large');
});
await step(2, async () => {
  const { data: invoice } = await api.POST('/invoices', { body: { amount: 10 } });
  if (!invoice || !('id' in invoice)) throw new Error('there is no invoice');
  const { data } = await api.POST('/invoices/{id}/remind', {
    params: { path: { id: invoice.id } },
    body: { text: 'Please pay', due: '2026-12-01', fee: 2.5, copies: 2 },
  });
  if (!data || !('id' in data)) throw new Error('there is no invoice');
  equal([data.reminders, data.note].join(' '), '1 Please pay');
});
await step(3, async () => {
  const { data: note } = await api.POST('/notes', { body: { title: 'Shopping', rank: 1 } });
  if (!note || !('id' in note)) throw new Error('there is no note');
  const params = { path: { id: note.id } };
  const stored = await api.PUT('/notes/{id}/photo', {
    params,
    headers: { 'Content-Type': 'image/png' },
    body: '',
    bodySerializer: () => IMAGE,
  });
  equal(stored.response.status, 201);
  const { data } = await api.GET('/notes/{id}/photo', { params, parseAs: 'arrayBuffer' });
  equal(String(new Uint8Array(given(data))), String(IMAGE));
});
await step(4, async () => {
  await api.POST('/samples', { body: { name: 'Bo', amount: 1, count: 9 } });
  const { data } = await api.GET('/samples', {
    params: { query: { sort: ['-total'], size: ['small'], count: [9] } },
  });
  equal(data?.items.map(({ name, total }) => `${name} ${total}`).join(), 'Bo 9');
});
await step(5, async () => {
  const { error } = await api.POST('/samples', { body: { name: 'A', address: { city: 'Oslo', rent: -1 } } });
  equal(error?.status, 400);
  equal(error?.errors?.map(({ pointer }) => pointer).join(' '), '/name /address/rent');
});
