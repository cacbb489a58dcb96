import type { Answer, Client } from './client/client.ts';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
const key = () => ({ 'Idempotency-Key': `"${crypto.randomUUID()}"` });

/** A way to remove an item: its name in a test's title, and the request. */
type Removal = readonly [string, (path: string) => Promise<Answer>];

/** Every way to remove the item at a path alone. */
export const removalsBy = (send: Client): readonly Removal[] => [
  ['DELETE', (path) => send('DELETE', path)],
  ['DELETE with a key', (path) => send('DELETE', path, { headers: key() })],
  ['DELETE that responds later', (path) => send('DELETE', path, { headers: { Prefer: 'respond-async' } })],
  ['the form that removes it', (path) => send('POST', `${path}/delete`, { body: '', headers: FORM })],
];
