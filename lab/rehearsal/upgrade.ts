import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import type { Check } from '../../test/support/checks.ts';
import { type Assembly, read } from './cdk.ts';
import { invoke, type Running } from './invoke.ts';
import type { Moto } from './moto.ts';
import { present } from './present/present.ts';

/** A later release for moto, which has the older one. `deploy` @throws with the output of the CLI if it fails */
interface Upgrade {
  readonly older: Assembly;
  readonly newer: Assembly;
  readonly deploy: (assembly: Assembly) => Promise<void>;
}

/**
 * Deploys a later release over the deployed one, and rolls back. Before, between and after, the code of both releases
 * writes members, and reads all of them in each order.
 */
export async function upgrade(check: Check, moto: Moto, { older, newer, deploy }: Upgrade): Promise<void> {
  const running = async (assembly: Assembly): Promise<Running> => ({
    assembly,
    template: read(assembly),
    there: await moto.look(),
    environment: moto.environment,
  });
  let count = 0;
  const writeAndRead = async (release: Running, orders: readonly string[]): Promise<void> => {
    count += 1;
    // The order by e-mail is not the order by name.
    const json = { username: `u${count}`, name: `n${count}`, email: `${9 - count}@example.com`, age: count };
    const { status, body } = await invoke(release, 'members', { method: 'POST', json });
    strictEqual(status, 201, JSON.stringify(body));
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    for (const sort of orders) {
      const list = await invoke(release, 'members', { method: 'GET', query: { sort: [sort] } });
      strictEqual(list.status, 200, JSON.stringify(list.body));
      const ages = list.body.items.map(({ age }: { readonly age: number }) => age);
      deepStrictEqual(ages, sort === 'email' ? numbers.reverse() : numbers, sort);
    }
  };

  const before = await running(older);
  await check('the code of members writes and reads', async () => {
    for (let written = 0; written < 3; written += 1) await writeAndRead(before, ['id', 'name']);
  });
  await check('cdk deploy of a later release, with one more order of members', () => deploy(newer));
  const after = await running(newer);
  await present(check, after);
  await check('the later release shows every member in every order', () =>
    writeAndRead(after, ['id', 'name', 'email']),
  );
  await check('the release before shows every member, as in a canary', () =>
    writeAndRead(before, ['id', 'name']),
  );
  await check('cdk deploy of the release before, as a roll-back', () => deploy(older));
  const back = await running(older);
  await present(check, back);
  await check('the release before shows every member after the roll-back', () =>
    writeAndRead(back, ['id', 'name']),
  );
}
