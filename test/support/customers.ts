import type { Answer } from './client.ts';
import { ended } from './operation.ts';
import { get, send } from './under-test.ts';

/** Removes all customers that earlier tests left. */
export async function removeCustomers(): Promise<void> {
  await finished(await send('DELETE', '/customers'));
  const left = (await get('/customers?limit=1000')).json().items;
  if (left.length === 0) return;
  // Customers with paid or placed orders stay. If there are few customers, all stay.
  for (const { id } of left) await finished(await send('DELETE', `/customers/${id}/orders`));
  await finished(await send('DELETE', '/customers'));
}

async function finished(answer: Answer): Promise<void> {
  if (answer.status === 202) await ended(answer);
}
