import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { clientOf } from '../support/client/client.ts';
import { run, temporary } from '../support/service/service.ts';

let directory: string;
let remove: () => Promise<void>;
beforeEach(async () => {
  ({ directory, remove } = await temporary());
});
afterEach(() => remove());

/**
 * Creates so many members in one run of the service with SHARDS=shards. `own`: the shards of members, as a deployment
 * sets them. Returns the names of all members.
 */
async function addMembers(shards: string, names: readonly string[], own = ''): Promise<string[]> {
  const environment = { SHARDS: shards, SHARDS_MEMBERS: own };
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

const recorded = () => readFileSync(join(directory, 'shards'), 'utf8').trim();

// Decision 3
describe('the shards of a data directory', () => {
  const names = ['Ada', 'Ben', 'Cem', 'Dan', 'Eve', 'Fay', 'Gus', 'Hal'];

  test('are one in a new directory', async () => {
    expect(await addMembers('', names)).toEqual(names);
    expect(recorded()).toBe('1');
  }, 40_000);

  test('grow with SHARDS and do not shrink without it', async () => {
    await addMembers('', names.slice(0, 4));
    await addMembers('4', names.slice(4));
    expect(await addMembers('', [])).toEqual(names);
    expect(recorded()).toBe('4');
  }, 60_000);

  test('are four in a directory of a version that did not record them', async () => {
    await addMembers('4', names);
    rmSync(join(directory, 'shards'));
    expect(await addMembers('', [])).toEqual(names);
  }, 60_000);

  test('hide nothing after a roll-back of each of the two deployments that add them', async () => {
    await addMembers('4', names.slice(0, 2), '4/4');
    await addMembers('4', names.slice(2, 4), '4/16');
    await addMembers('4', names.slice(4), '16/16');
    expect(await addMembers('4', [], '4/16')).toEqual(names);
  }, 80_000);

  test('are refused if SHARDS is not a number from 1 to 100', async () => {
    await expect(addMembers('many', [])).rejects.toThrow("SHARDS must be a number from 1 to 100, not 'many'");
  }, 40_000);
});
