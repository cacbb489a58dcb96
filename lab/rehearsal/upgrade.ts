import { strictEqual } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from '../../test/support/service/command.ts';
import type { Check } from '../checks.ts';
import { type Assembly, read } from './cdk.ts';
import { checkResources } from './deployed.ts';
import { Gadgets } from './gadgets.ts';
import type { RunningRelease } from './invoke.ts';
import type { Moto } from './moto.ts';
import { define, RELEASES, type Release } from './release.ts';

/** The synthesized releases. `checkedOut`: the folder of their code. `deploy` @throws if the CLI fails */
export interface Upgrades {
  readonly checkedOut: string;
  readonly assemblies: readonly Assembly[];
  readonly deploy: (assembly: Assembly) => Promise<void>;
}

/** A deployed release: its facts, and its functions. */
interface Deployed {
  readonly release: Release;
  readonly running: RunningRelease;
}

/**
 * Deploys the second and the third release over the first one, and goes back twice. Around each deployment, both
 * releases write gadgets, as in a canary, and show all of them. Returns the first release after its return.
 */
export async function upgrade(check: Check, moto: Moto, upgrades: Upgrades): Promise<RunningRelease> {
  const gadgets = new Gadgets();
  const look = async (at: number): Promise<Deployed> => {
    const [release, assembly] = [RELEASES[at], upgrades.assemblies[at]];
    if (release === undefined || assembly === undefined) throw new Error(`There is no release ${at + 1}`);
    const { lambda } = moto;
    return { release, running: { template: read(assembly), there: await moto.look(), lambda } };
  };
  const writeAndShow = async (...releases: readonly Deployed[]): Promise<void> => {
    for (const { release, running } of releases) await gadgets.write(running, release);
    for (const { release, running } of releases) await gadgets.expectAll(running, release);
  };
  const deploy = (at: number) => upgrades.deploy(upgrades.assemblies[at] as Assembly);

  let last = await look(0);
  await check('release 1 writes gadgets and shows all of them', async () => {
    for (let count = 0; count < 3; count += 1) await writeAndShow(last);
  });
  for (const [at, change] of [
    [1, 'one more order'],
    [2, 'a field of another type'],
  ] as const) {
    const before = last;
    await check(`cdk deploy of release ${at + 1}, with ${change}`, () => deploy(at));
    const after = await look(at);
    if (at === 1) await checkResources(check, after.running);
    const both = `releases ${at} and ${at + 1}`;
    await check(`${both} write and show every gadget, as in a canary`, () => writeAndShow(before, after));
    await check(
      `a backfill of release ${at + 1} completes the inventory, and the release shows every gadget`,
      async () => {
        await backfill(moto, upgrades.checkedOut, after);
        await gadgets.expectAll(after.running, after.release);
      },
    );
    await check(`${both} write and show every gadget after it`, () => writeAndShow(before, after));
    last = after;
  }
  for (const at of [1, 0]) {
    await check(`cdk deploy of release ${at + 1} again, as a roll-back`, () => deploy(at));
    const after = last;
    last = await look(at);
    await check(`releases ${at + 1} and ${at + 2} write and show every gadget`, () =>
      writeAndShow(after, last),
    );
    await check(`release ${at + 1} alone writes and shows every gadget`, () => writeAndShow(last));
  }
  await checkResources(check, last.running);
  return last.running;
}

/** Runs the commands of docs/releases.md, "Change a deployment", with the code of a release. */
async function backfill(moto: Moto, cwd: string, { release, running }: Deployed): Promise<void> {
  define(cwd, release);
  const { outputs, functions } = running.there;
  writeFileSync(
    join(cwd, 'worker.json'),
    JSON.stringify(functions[outputs.Worker ?? '']?.Environment.Variables),
  );
  for (const args of [
    ['backfill', 'gadgets', '--queue', outputs.OperationsQueue ?? ''],
    ['data', 'state', 'gadgets', '--environment', 'worker.json'],
  ]) {
    const [tool, ...rest] = args;
    const env = moto.environment;
    const { code, log } = await command(process.execPath, [`tools/${tool}/main.ts`, ...rest], { cwd, env });
    strictEqual(code, 0, log);
  }
}
