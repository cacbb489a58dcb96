import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { clientOf } from '../support/client/client.ts';
import { ended } from '../support/client/operation.ts';
import { eventually } from '../support/eventually.ts';
import { type Run, run, temporary } from '../support/service/service.ts';
import { withFixture } from '../support/service/with-fixture.ts';

const CONTACTS = 900;
/** SQS delivers the message of a killed worker again after 30 s. */
const REDELIVERY = 45_000;

test('a service that is killed while it clears references clears the rest after a restart', async () => {
  const { directory, remove } = await temporary();
  const start = () =>
    run({
      directory: join(directory, 'data'),
      environment: { ...withFixture('constrained'), LEASE_SECONDS: '1' },
    });
  let service: Run = await start();
  const send: ReturnType<typeof clientOf> = (...call) => clientOf(service.url as string)(...call);
  try {
    const { id } = (await send('POST', '/companies', { json: { name: 'a' } })).json();
    const json = Array.from({ length: CONTACTS }, () => ({ name: 'a', agentId: id }));
    const headers = { Prefer: 'respond-async' };
    await ended(await send('POST', '/contacts', { json, headers }), send);
    const referring = async () =>
      (await send('GET', `/contacts?agentId=${id}&limit=1000&fields=agentId`)).json().items.length;
    expect(await referring()).toBe(CONTACTS);
    expect((await send('DELETE', `/companies/${id}`)).status).toBe(204);
    const left = await eventually(async () => {
      const count = await referring();
      expect(count).toBeLessThan(CONTACTS);
      return count;
    }, 1);
    expect(left).toBeGreaterThan(0);
    await service.stop('SIGKILL');
    service = await start();
    await eventually(async () => expect(await referring()).toBe(0), 250, REDELIVERY);
    const { items } = (await send('GET', '/contacts?limit=1000')).json();
    expect(items).toHaveLength(CONTACTS);
  } finally {
    await service.stop('SIGKILL');
    await remove();
  }
}, 120_000);
