import { expect, test } from '@jest/globals';
import { changesContent } from '../../../pages/history.ts';

const place = { basePath: '/v1', resource: { title: 'Changes' } } as never;
const next = { rel: 'next', href: '/v1/changes?after=x', method: 'GET' };

test('the page of changes links its items below the base path', () => {
  const items = [{ type: 'order.paid', subject: '/orders/7', time: '2026-01-01T00:00:00Z', data: {} }];
  const { title, body } = changesContent({ members: { items, links: [next] } } as never, place);
  expect(title).toBe('Changes');
  expect([...String(body).matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
    '/v1/orders/7',
    '/v1/changes?after=x',
  ]);
  expect(String(body)).toContain('<td>paid</td>');
});

test('the page without changes links the later ones', () => {
  const { body } = changesContent({ members: { items: [], links: [next] } } as never, place);
  expect(String(body)).toContain('<a rel="next" href="/v1/changes?after=x">Later changes</a>');
});
