import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { logChanges } from '../../../functions/events/log-changes.ts';
import { readChanges } from '../../../functions/events/read-changes.ts';
import { wakeFanOut } from '../../../functions/events/wake-fan-out.ts';
import { memoryOf } from '../../../infra/memory.ts';
import { registry } from '../../../service/registry.ts';
import type { Changes } from '../../../test/faults/webhooks/changes.ts';
import type { Counted } from '../../../tools/cost/bill.ts';
import { additional, afterwards, type Counter, together } from './count.ts';
import { type MeteredRequest, runFanOut, runWebhooks, seenWhile } from './metered.ts';

const posted = (resource: string, json: object): MeteredRequest => ({
  resource,
  template: `/${resource}`,
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(json),
});

/**
 * Counts one delivery of an event to a receiver that responds at once: the wake of the fan-out, the row that waits, the
 * wake of the receiver, and the attempt that the service keeps. Several events of a run share the wakes. The change itself
 * does not count. The service has one subscription.
 */
export async function countDelivery(counter: Counter, changes: Changes): Promise<Counted> {
  let bytesOut = 0;
  const receiver = createServer((request, response) => {
    bytesOut = request.rawHeaders.join(': ').length;
    request.on('data', (piece: Buffer) => {
      bytesOut += piece.length;
    });
    request.on('end', () => response.writeHead(204).end());
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await counter.made(201, posted('subscriptions', { url, types: ['product.*'] }));
  const deliver = async (): Promise<Counted> => {
    await counter.begun(201, posted('products', { name: 'Mug', price: 1 }));
    // The log has the change for all readers.
    await logChanges(registry, (await readChanges(registry, changes.taken().records)).changes);
    const woken = await seenWhile(wakeFanOut);
    const sent = additional({ readUnits: woken.read, messages: woken.queue });
    const settings = (name: string) => ({ memoryMb: memoryOf(name), sent: 0, fair: false });
    const found = await afterwards(runFanOut, settings('fanout'));
    return together(sent, found, await afterwards(runWebhooks, settings('webhooks')));
  };
  try {
    // Only the first one in a minute writes the time of its success.
    await deliver();
    const counted = await deliver();
    // The port has four or five digits.
    return together(counted, additional({ bytesOut: Math.ceil(bytesOut / 100) * 100 }));
  } finally {
    receiver.close();
  }
}
