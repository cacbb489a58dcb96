import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Check } from '../../test/support/checks.ts';
import { command } from '../../test/support/service/command.ts';
import { functionOf, invoke, type Running } from './invoke.ts';

const ROOT = join(import.meta.dirname, '../..');

interface Member {
  readonly id: number;
}

/**
 * Practises the loss of a member: restores the table, exports the restored items, and imports them into the service.
 * moto restores the present state at any time, so the loss follows the restoration.
 */
export async function restoration(check: Check, running: Running, folder: string): Promise<void> {
  mkdirSync(folder);
  const deployed = join(folder, 'worker.json');
  writeFileSync(deployed, JSON.stringify(functionOf(running, 'worker').variables));
  const restored = join(folder, 'restored');
  const exported = join(folder, 'exported');
  const data = async (...args: string[]): Promise<void> => {
    const { code, log } = await command(process.execPath, ['tools/data/main.ts', ...args], {
      cwd: ROOT,
      env: running.environment,
    });
    strictEqual(code, 0, log);
  };
  const members = async (): Promise<readonly Member[]> => {
    const { status, body } = await invoke(running, 'members', { method: 'GET' });
    strictEqual(status, 200, JSON.stringify(body));
    return body.items;
  };

  const before = await members();
  await check('data restore restores the table of members as a new one', () =>
    data('restore', restored, 'members', '--at', new Date().toISOString(), '--environment', deployed),
  );
  await check('the service loses a member', async () => {
    const { status } = await invoke(running, 'members', { method: 'DELETE', id: before[0]?.id });
    strictEqual(status, 204);
    deepStrictEqual(await members(), before.slice(1));
  });
  await check('data export reads the restored table, and data import brings the member back', async () => {
    await data('export', exported, 'members', '--environment', join(restored, 'worker.json'));
    await data('import', exported, 'members', '--replace', '--environment', deployed);
    deepStrictEqual(await members(), before);
  });
}
