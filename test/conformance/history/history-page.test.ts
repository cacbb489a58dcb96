import { beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../support/client/client.ts';
import { rowsOf } from '../../support/client/page.ts';
import { MERGE_PATCH } from '../../support/client/patches.ts';
import { eventually } from '../../support/eventually.ts';
import { clientAs, closed } from '../../support/service/closed.ts';

const SCOPES = ['customers', 'orders'].flatMap((name) => [`${name}:read`, `${name}:write`]).join(' ');

/** Clients with the tokens of a clerk, and of an auditor. */
let clerk: Client;
let auditor: Client;

beforeAll(async () => {
  const service = await closed();
  clerk = await clientAs(service, 'ada', SCOPES);
  auditor = await clientAs(service, 'bob', `${SCOPES} audit:read`);
}, 40_000);

const made = async (path: string, json: object): Promise<string> =>
  (await clerk('POST', path, { json })).headers.location as string;

/** The cells of the history, without those of the version and of the time. */
async function historyOf(path: string, reader = clerk): Promise<string[][]> {
  const { text } = await reader('GET', `${path}/versions`, { headers: { Accept: 'text/html' } });
  return rowsOf(text.split('</table>')[0] ?? '')
    .slice(1)
    .map(([, ...cells]) => cells.map((cell) => cell.replaceAll(/\s+/g, ' ')));
}

// Specification 16.9
test('the history of an item shows old and new values, newest first', async () => {
  const [acme = '', other = ''] = await Promise.all([
    made('/customers', { name: 'Acme' }),
    made('/customers', { name: 'Other' }),
  ]);
  const numberOf = (path: string) => Number(path.split('/').at(-1));
  const order = await made(`${acme}/orders`, { productId: 1, orderValue: 5, note: 'x'.repeat(41) });
  const patch = async (json: object) =>
    expect((await clerk('PATCH', order, { json, headers: MERGE_PATCH })).status).toBe(200);
  await patch({ customerId: numberOf(other), note: 'short', quantity: 2 });
  await clerk('POST', `${order}/pay`);
  await patch({ note: null });
  const rows = await eventually(async () => {
    const found = await historyOf(order);
    expect(found).toHaveLength(4);
    return found;
  });
  expect(rows.map(([change, changed]) => [change, changed])).toEqual([
    ['updated', 'Note: short → none'],
    ['updated', 'Status: created → paid'],
    // The service has read the name of the present customer alone. A long value is on the page of its version.
    ['updated', `Customer: ${numberOf(acme)} → OtherNoteValue: 5.00 EUR → 29.00 EURQuantity: 1 → 2`],
    ['created', ''],
  ]);
  // Specification 16.6: a restoration makes no transition.
  expect(rows.map((row) => row.at(-1))).toEqual(['', 'Restore', '', '']);
});

// Specification 11.14
test('the history names authors to those who may read them', async () => {
  const path = await made('/customers', { name: 'a' });
  expect((await auditor('PUT', path, { json: { name: 'b' } })).status).toBe(200);
  const entries = await historyOf(path, auditor);
  expect(entries.map(([, changed, by]) => [changed, by])).toEqual([
    ['Name: a → b', 'bob'],
    ['', 'ada'],
  ]);
  expect((await historyOf(path)).flat()).not.toContain('ada');
});
