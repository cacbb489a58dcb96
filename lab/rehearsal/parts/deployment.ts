/** Deploys, upgrades and destroys the stack on moto. */

import { ok, strictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import type { Ended } from '../../../test/support/service/command.ts';
import { type Assembly, cdk, read, synthesize } from '../cdk.ts';
import { ACCOUNT, type Moto, REGION, startMoto } from '../moto.ts';
import type { Given, Part } from '../part.ts';
import { checkDestruction, notMade } from '../present/destroyed.ts';
import { present } from '../present/present.ts';
import { laterRelease } from '../release.ts';
import { restoration } from '../restoration.ts';
import { upgrade } from '../upgrade.ts';

/** The CLI cannot read the change sets of moto, so the deployment uses the direct method. */
const DEPLOY = ['deploy', '--method=direct', '--require-approval', 'never'];

export const deployment: Part = {
  about: 'bootstrap, deploy, diff, deploy a later release, roll back, restore and destroy on moto',
  async run({ check, folder, defaults }: Given) {
    const moto = await startMoto();
    try {
      laterRelease(join(folder, 'later'));
      const newer = await synthesize(join(folder, 'newer'), {}, { cwd: join(folder, 'later') });
      await deploy(check, moto, { older: await defaults(), newer, folder: join(folder, 'restoration') });
    } finally {
      await moto.stop();
    }
  },
};

/** This checkout, a release after it, and a folder for the restoration. */
interface Releases {
  readonly older: Assembly;
  readonly newer: Assembly;
  readonly folder: string;
}

async function deploy(check: Given['check'], moto: Moto, { older, newer, folder }: Releases): Promise<void> {
  const { environment } = moto;
  const run = (...args: string[]) => cdk([...args, '--app', older.directory], { environment });
  const template = read(older);

  await check('cdk bootstrap', async () => succeeded(await run('bootstrap', `aws://${ACCOUNT}/${REGION}`)));
  await check('cdk deploy', async () => succeeded(await run(...DEPLOY)));
  for (const line of notMade(template)) console.log(`    not made, ${line}`);
  await present(check, { template, there: await moto.look() });

  await check('cdk diff finds no difference', async () =>
    succeeded(await run('diff', '--method=template', '--fail')),
  );
  await check('cdk deploy again changes nothing', async () => {
    const ended = await run(...DEPLOY);
    succeeded(ended);
    ok(ended.log.includes('(no changes)'), ended.log);
  });
  await upgrade(check, moto, {
    older,
    newer,
    deploy: async ({ directory }) => succeeded(await cdk([...DEPLOY, '--app', directory], { environment })),
  });
  const last = { template, there: await moto.look() };
  await restoration(check, { ...last, assembly: older, environment }, folder);
  await check('cdk destroy', async () => succeeded(await run('destroy', '--force')));
  await checkDestruction(check, last, await moto.look());
}

function succeeded({ code, log }: Ended): void {
  strictEqual(code, 0, `It ended with ${code}\n${log.slice(-4000)}`);
}
