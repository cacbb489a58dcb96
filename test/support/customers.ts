import { ended } from './client/operation.ts';
import { send } from './service/under-test.ts';

/** Removes all customers that earlier tests left. */
export async function removeCustomers(): Promise<void> {
  const answer = await send('DELETE', '/customers');
  if (answer.status === 202) await ended(answer);
}
