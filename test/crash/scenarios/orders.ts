import { expect } from '@jest/globals';
import { type CrashedRequest, LATER, type Writer } from '../sent-request.ts';

const WAYS: readonly (readonly string[])[] = [
  ['pay'],
  ['pay', 'place'],
  ['pay', 'place', 'complete'],
  ['pay', 'cancel'],
  ['pay', 'place', 'cancel'],
  ['cancel', 'pay'],
];

interface Ordered {
  readonly path: string;
  readonly moves: CrashedRequest[];
  sent: number;
}

/** Requests change the states of orders, some deferred: each transition happens once or not at all. */
export async function ordered(writer: Writer, tag: string): Promise<void> {
  const customer = (await writer.done('POST', '/customers', { json: { name: `ordered ${tag}` } })).headers
    .location;
  const orders: Ordered[] = [];
  writer.verify(async (world) => {
    const changes = await world.changes(orders.map(({ path }) => path));
    // A kill before the first order leaves none.
    const misfits = orders.flatMap(({ path, moves, sent }, at) => {
      const fates = moves.map((deed) => world.fate(deed));
      const least = fates.filter((fate) => fate === 'done').length;
      const most = least + sent - moves.length + fates.filter((fate) => fate === 'unknown').length;
      const times = changes[at] ?? Number.NaN;
      return times >= least && times <= most ? [] : [{ path, least, most, times }];
    });
    expect(misfits).toEqual([]);
  });
  for (let count = writer.whole(1, 3); count > 0; count -= 1) {
    const json = { productId: 1, orderValue: count };
    const { headers } = await writer.done('POST', `${customer}/orders`, { json });
    const order: Ordered = { path: headers.location as string, moves: [], sent: 0 };
    orders.push(order);
    for (const move of WAYS[writer.whole(0, WAYS.length - 1)] as readonly string[]) {
      const preference = writer.chance(0.6) ? LATER : {};
      order.sent += 1;
      order.moves.push(
        await writer.send('POST', `${order.path}/${move}`, { headers: preference }, ['invalid-transition']),
      );
    }
  }
}
