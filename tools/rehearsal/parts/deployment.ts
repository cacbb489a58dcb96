import { ok, strictEqual } from 'node:assert/strict';
import type { Ended } from '../../../test/support/command.ts';
import { type Assembly, cdk, read } from '../cdk.ts';
import { ACCOUNT, type Moto, REGION, startMoto } from '../moto.ts';
import type { Given, Part } from '../part.ts';
import { destroyed, notMade, present } from '../present.ts';

/** The CLI cannot read the change sets of moto, so the deployment uses the direct method. */
const DEPLOY = ['deploy', '--method=direct', '--require-approval', 'never'];

export const part: Part = {
  about: 'bootstrap, deploy, deploy again, diff and destroy on moto',
  async run({ check, defaults }: Given) {
    const moto = await startMoto();
    try {
      await deploy(check, moto, await defaults());
    } finally {
      await moto.stop();
    }
  },
};

async function deploy(check: Given['check'], moto: Moto, assembly: Assembly): Promise<void> {
  const { environment } = moto;
  const run = (...args: string[]) => cdk([...args, '--app', assembly.directory], { environment });
  const template = read(assembly);

  await check('cdk bootstrap', async () => succeeded(await run('bootstrap', `aws://${ACCOUNT}/${REGION}`)));
  await check('cdk deploy', async () => succeeded(await run(...DEPLOY)));
  for (const line of notMade(template)) console.log(`    not made, ${line}`);
  const there = await moto.look();
  const deployed = { template, there };
  await present(check, deployed);

  await check('cdk diff finds no difference', async () =>
    succeeded(await run('diff', '--method=template', '--fail')),
  );
  await check('cdk deploy again changes nothing', async () => {
    const ended = await run(...DEPLOY);
    succeeded(ended);
    ok(ended.log.includes('(no changes)'), ended.log);
  });
  await check('cdk destroy', async () => succeeded(await run('destroy', '--force')));
  await destroyed(check, deployed, await moto.look());
}

function succeeded({ code, log }: Ended): void {
  strictEqual(code, 0, `It ended with ${code}\n${log.slice(-4000)}`);
}
