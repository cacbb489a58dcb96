import type { Counted } from '../../../tools/cost/bill.ts';
import { type Counter, together } from './count.ts';

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

/** An undo of a change, with its worker. The client reads its status once. The log must have few other changes. */
export async function countUndo(counter: Counter): Promise<[string, number, Counted]> {
  const headers = { 'Content-Type': 'application/json' };
  const members = { resource: 'members', template: '/members', headers };
  const made = await counter.made(201, { ...members, method: 'POST', body: '{"username":"ada"}' });
  const { id }: { id: number } = JSON.parse(made.body);
  const since = new Date().toISOString();
  await counter.made(200, {
    ...members,
    method: 'PUT',
    template: '/members/{id}',
    parameters: { id: String(id) },
    body: '{"username":"bob"}',
  });
  const body = JSON.stringify({ since, resources: ['members'] });
  const begun = await counter.begun(202, {
    headers,
    resource: 'changes',
    template: '/changes/undo',
    method: 'POST',
    body,
  });
  const parameters = { id: begun.headers.Location?.split('/').at(-1) ?? '' };
  const worked = await counter.finished();
  const poll = await counter.begun(200, { resource: 'operations', template: '/operations/{id}', parameters });
  if (!poll.body.includes('"restored":1,')) throw new Error(`The undo restored others: ${poll.body}`);
  return ['undo of a changed item: 202, worker, a poll', 202, together(begun.counted, worked, poll.counted)];
}
