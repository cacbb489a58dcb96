import { expect } from '@jest/globals';
import { type CrashedRequest, LATER, type Writer } from '../sent-request.ts';

const COLLECTIONS = ['members', 'customers', 'products'] as const;
const MERGE = { 'Content-Type': 'application/merge-patch+json' };

/**
 * A deferred request creates one item, with or without a key, possibly canceled: the item exists once or not at
 * all.
 */
export async function created(writer: Writer, tag: string): Promise<void> {
  const collection = COLLECTIONS[writer.whole(0, 2)] as string;
  const name = `created ${tag}.`;
  const isKeyed = writer.chance(0.5);
  const headers = { ...LATER, ...(isKeyed ? { 'Idempotency-Key': tag } : {}) };
  const deeds: CrashedRequest[] = [];
  const create = async () =>
    deeds.push(await writer.send('POST', `/${collection}`, { json: { name }, headers }));
  let begun = false;
  writer.verify(async (world) => {
    if (!begun) return;
    if (isKeyed) {
      const { status, headers: fields } = await world.client('POST', `/${collection}`, {
        json: { name },
        headers,
      });
      expect([name, status]).toEqual([name, 202]);
      // A kill before the first response leaves none.
      expect(deeds.filter(({ operation }) => operation !== fields.location)).toEqual([]);
      await world.settle();
      const became = world.fate({ request: name, mayFail: [], operation: fields.location });
      expect(await world.named(collection, name)).toHaveLength(became === 'done' ? 1 : 0);
      return;
    }
    const fates = deeds.map((deed) => world.fate(deed));
    const found = await world.named(collection, name);
    if (fates.length === 0) expect(found.length).toBeLessThan(2);
    else expect([name, found.length]).toEqual([name, fates[0] === 'done' ? 1 : 0]);
  });
  begun = true;
  await create();
  if (isKeyed && writer.chance(0.3)) await create();
  else if (writer.chance(0.4)) await writer.cancel(deeds[0] as CrashedRequest);
}

/** Deferred requests change one item several times and possibly remove it: each reported change happened once. */
export async function changed(writer: Writer, tag: string): Promise<void> {
  const answer = await writer.done('POST', '/members', { json: { name: `changed ${tag}` } });
  const path = answer.headers.location as string;
  const deeds: CrashedRequest[] = [];
  const removals: CrashedRequest[] = [];
  const send = async (list: CrashedRequest[], sending: Promise<CrashedRequest>) => list.push(await sending);
  let sent = 0;
  let removalsSent = 0;
  writer.verify(async (world) => {
    const [times] = await world.changes([path]);
    const fates = deeds.map((deed) => world.fate(deed));
    const least = fates.filter((fate) => fate === 'done').length;
    const most = least + fates.filter((fate) => fate === 'unknown').length + sent - deeds.length;
    const isRemoved = removals.some((one) => world.fate(one) === 'done');
    if (isRemoved) expect([path, times]).toEqual([path, undefined]);
    if (times === undefined) {
      expect(isRemoved || removalsSent > removals.length).toBe(true);
      return;
    }
    expect([path, times >= least, times <= most]).toEqual([path, true, true]);
  });
  const isToGo = writer.chance(0.3);
  for (let turn = writer.whole(1, 4); turn > 0; turn -= 1) {
    const json = { name: `changed ${tag} ${turn}` };
    const isPatch = writer.chance(0.5);
    const headers = { ...LATER, ...(isPatch ? { ...MERGE, 'Idempotency-Key': `${tag} ${turn}` } : {}) };
    sent += 1;
    await send(
      deeds,
      writer.send(isPatch ? 'PATCH' : 'PUT', path, { json, headers }, isToGo ? ['not-found'] : []),
    );
    if (writer.chance(0.2)) await writer.cancel(deeds.at(-1) as CrashedRequest);
    if (!isToGo || turn !== 2) continue;
    removalsSent += 1;
    await send(removals, writer.send('DELETE', path, { headers: LATER }, ['not-found']));
    if (writer.chance(0.3)) await writer.cancel(removals.at(-1) as CrashedRequest);
  }
}
