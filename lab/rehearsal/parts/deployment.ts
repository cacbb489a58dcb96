/** Deploys, upgrades, operates and destroys the stack on moto. */

import { ok, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import type { Ended } from '../../../test/support/service/command.ts';
import type { Check } from '../../checks.ts';
import { type Assembly, cdk, read } from '../cdk.ts';
import { checkDestruction, checkResources, notMade } from '../deployed.ts';
import { ACCOUNT, REGION } from '../emulated.ts';
import { type Moto, startMoto } from '../moto.ts';
import { build, define, RELEASES, withGadgets } from '../release.ts';
import { runbook } from '../runbook.ts';
import { upgrade } from '../upgrade.ts';

/** The CLI cannot read the change sets of moto, so the deployment uses the direct method. */
const DEPLOY = ['deploy', '--method=direct', '--require-approval', 'never'];

/** Deploys three releases to moto, goes back twice, and runs the commands of the runbook. */
export async function deployment(check: Check, folder: string): Promise<void> {
  const moto = await startMoto();
  try {
    const checkedOut = join(folder, 'checkout');
    withGadgets(checkedOut);
    const assemblies: Assembly[] = [];
    for (const [at, release] of RELEASES.entries())
      assemblies.push(await build(checkedOut, release, join(folder, `release-${at + 1}`)));
    await deploy(check, moto, { checkedOut, assemblies, data: join(folder, 'data') });
  } finally {
    await moto.stop();
  }
}

/** The folder of the code, the synthesized releases, and a folder for the data of `npm start`. */
interface Releases {
  readonly checkedOut: string;
  readonly assemblies: readonly Assembly[];
  readonly data: string;
}

async function deploy(check: Check, moto: Moto, { checkedOut, assemblies, data }: Releases): Promise<void> {
  const { environment } = moto;
  const [first] = assemblies;
  const [release] = RELEASES;
  if (first === undefined || release === undefined) throw new Error('There is no release');
  const run = (...args: string[]) => cdk([...args, '--app', first.directory], { environment });
  const template = read(first);

  await check('cdk bootstrap', async () => succeeded(await run('bootstrap', `aws://${ACCOUNT}/${REGION}`)));
  await check('cdk deploy', async () => succeeded(await run(...DEPLOY)));
  for (const line of notMade(template)) console.log(`    not made, ${line}`);
  await checkResources(check, { template, there: await moto.look() });

  await check('cdk diff finds no difference', async () =>
    succeeded(await run('diff', '--method=template', '--fail')),
  );
  await check('cdk deploy again changes nothing', async () => {
    const ended = await run(...DEPLOY);
    succeeded(ended);
    ok(ended.log.includes('(no changes)'), ended.log);
  });
  const running = await upgrade(check, moto, {
    checkedOut,
    assemblies,
    deploy: async ({ directory }) => succeeded(await cdk([...DEPLOY, '--app', directory], { environment })),
  });
  define(checkedOut, release);
  await runbook(check, moto, running, { checkedOut, folder: data });
  await check('cdk destroy', async () => succeeded(await run('destroy', '--force')));
  await checkDestruction(check, running, await moto.look());
}

function succeeded({ code, log }: Ended): void {
  strictEqual(code, 0, `It ended with ${code}\n${log.slice(-4000)}`);
}
