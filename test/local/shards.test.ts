import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientOf } from '../support/client/client.ts';
import { run, temporary } from '../support/service/service.ts';

let directory: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ directory, remove } = await temporary());
});
afterEach(() => remove());

/** Creates members in one run of the service with SHARDS=shards. Returns the names of all members. */
async function addMembers(shards: string, names: readonly string[]): Promise<string[]> {
  const environment = { SHARDS: shards, INVENTORY_SECONDS: '0' };
  const { url, stop, output } = await run({ directory, args: ['--empty'], environment });
  if (url === undefined) throw new Error(output());
  try {
    const client = clientOf(url);
    for (const name of names) await client('POST', '/members', { json: { name } });
    const { items } = (await client('GET', '/members?sort=name&limit=100')).json();
    return items.map(({ name }: Record<string, unknown>) => String(name));
  } finally {
    await stop();
  }
}

// Decision 33
describe('the shards of a data directory', () => {
  const names = ['Ada', 'Ben', 'Cem', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal'];

  test('hide nothing when they grow and when SHARDS is lower again', async () => {
    expect(await addMembers('', names.slice(0, 2))).toEqual(names.slice(0, 2));
    await addMembers('4', names.slice(2, 4));
    await addMembers('16', names.slice(4, 6));
    expect(await addMembers('', names.slice(6))).toEqual(names);
  }, 80_000);

  test('are refused if SHARDS is not a number from 1 to 100', async () => {
    await expect(addMembers('many', [])).rejects.toThrow("SHARDS must be a number from 1 to 100, not 'many'");
  }, 40_000);
});
