import type { Counted } from '../model/bill.ts';
import type { Counter } from './count.ts';

/** A page of the list of changes, and the look of a reader that has them all. */
export async function countFeed(
  counter: Counter,
  add: (name: string, status: number, counted: Counted) => unknown,
): Promise<void> {
  const feed = { resource: 'changes', template: '/changes' };
  const page = await counter.made(200, { ...feed, query: { resource: ['customers'], limit: ['25'] } });
  add('GET changes, 25 of one collection', 200, page.counted);
  const after = new Date().toISOString();
  const end = await counter.made(200, { ...feed, query: { resource: ['customers'], since: [after] } });
  const { links }: { links: { rel: string; href: string }[] } = JSON.parse(end.body);
  const next = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '', 'http://localhost');
  const query = Object.fromEntries([...next.searchParams].map(([name, value]) => [name, [value]]));
  add('GET changes, none new', 200, (await counter.made(200, { ...feed, query })).counted);
}
