import { expect } from '@jest/globals';
import type { Observer } from '../observer.ts';
import { type CrashedRequest, idsIn, LATER, type Writer } from '../sent-request.ts';

/** Items that one request creates. */
const WHOLE = 100;

const later = (writer: Writer) => ({ headers: writer.chance(0.5) ? LATER : {} });

/** The lenient mode: the service does the possible changes in steps, even if they are few. */
const LENIENT = { headers: { Prefer: 'respond-async, handling=lenient' } };

/**
 * Checks the items in the list that a bulk request created: the reported number. If it is unknown: all, none or a
 * prefix.
 */
function expectAmount(world: Observer, deed: CrashedRequest | undefined, count: number, found: number): void {
  const amount = deed && world.amount(deed, count);
  if (deed && amount !== undefined)
    expect([deed.request, deed.operation, found]).toEqual([deed.request, deed.operation, amount]);
  else if (count <= WHOLE) expect([0, count]).toContain(found);
  else expect(found).toBeLessThanOrEqual(count);
}

/** One request, possibly canceled, creates many customers: none twice, and as many as the operation reports. */
export async function createdAtOnce(writer: Writer, tag: string): Promise<void> {
  const count = writer.chance(0.2) ? writer.whole(500, 2000) : writer.whole(50, 300);
  const prefix = `many ${tag}.`;
  let deed: CrashedRequest | undefined;
  writer.verify(async (world) => {
    const found = await world.named('customers', prefix);
    expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
    expectAmount(world, deed, count, found.length);
  });
  const json = Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}` }));
  const preference = writer.chance(0.3) ? LENIENT : later(writer);
  deed = await writer.send('POST', '/customers', { json, ...preference });
  if (writer.chance(0.3)) await writer.cancel(deed);
}

/** Creates the customers that a bulk request will change. Returns their ids. */
async function customers(writer: Writer, prefix: string): Promise<number[]> {
  const ids: number[] = [];
  for (let hundreds = writer.whole(1, 5); hundreds > 0; hundreds -= 1) {
    const json = Array.from({ length: WHOLE }, (_, at) => ({ name: `${prefix}${hundreds}.${at}` }));
    ids.push(...idsIn(await writer.done('POST', '/customers', { json })));
  }
  return ids;
}

/** One or two requests replace many customers: each request replaces each customer once, as many as it reports. */
export async function replacedAtOnce(writer: Writer, tag: string): Promise<void> {
  const ids = await customers(writer, `old ${tag}.`);
  const deeds: CrashedRequest[] = [];
  let sent = 0;
  writer.verify(async (world) => {
    const changes = await world.changes(ids.map((id) => `/customers/${id}`));
    const times = changes.map((one) => one ?? Number.NaN);
    expect(Math.max(...times)).toBeLessThanOrEqual(sent);
    const amounts = deeds.map((deed) => world.amount(deed, ids.length));
    const sum = times.reduce((all, one) => all + one, 0);
    if (sent === deeds.length && !amounts.includes(undefined))
      expect([tag, sum]).toEqual([tag, amounts.reduce((all: number, one) => all + (one ?? 0), 0)]);
    if (deeds.length > 0 || sent === 0) return;
    expectAmount(world, undefined, ids.length, sum);
  });
  for (let turn = writer.whole(1, 2); turn > 0; turn -= 1) {
    const json = ids.map((id) => ({ id, name: `new ${tag}.${turn}` }));
    sent += 1;
    const deed = await writer.send('PUT', '/customers', { json, ...later(writer) });
    deeds.push(deed);
    if (writer.chance(0.3)) await writer.cancel(deed);
  }
}

/** A request removes all orders of a customer, some of them paid: as many as it reports. */
export async function removedAtOnce(writer: Writer, tag: string): Promise<void> {
  const answer = await writer.done('POST', '/customers', { json: { name: `removed ${tag}` } });
  const path = answer.headers.location as string;
  let count = 0;
  let deed: CrashedRequest | undefined;
  let sent = false;
  writer.verify(async (world) => {
    const left = await world.all(`${path}/orders?limit=1000`);
    if (sent) expectAmount(world, deed, count, count - left.length);
  });
  const ids: number[] = [];
  for (let hundreds = writer.whole(1, 4); hundreds > 0; hundreds -= 1) {
    const size = hundreds === 1 ? writer.whole(10, 99) : WHOLE;
    const json = Array.from({ length: size }, (_, at) => ({ productId: 1, orderValue: at }));
    ids.push(...idsIn(await writer.done('POST', `${path}/orders`, { json })));
    count += size;
  }
  for (let paid = writer.whole(0, 4); paid > 0; paid -= 1)
    await writer.done('POST', `/orders/${ids[writer.whole(0, ids.length - 1)]}/pay`);
  sent = true;
  deed = await writer.send('DELETE', `${path}/orders`, later(writer));
  if (writer.chance(0.3)) await writer.cancel(deed);
}
