/** Runs the commands of the runbook with the AWS CLI, on the stack in moto. */

import { ok, strictEqual } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { OPERATORS_PAGES } from '../../service/folders.ts';
import { awsCallsIn, commandsIn } from '../../test/support/runbook/commands.ts';
import { NOT_RUN, SCENES, withValues } from '../../test/support/runbook/scenes.ts';
import { command } from '../../test/support/service/command.ts';
import { run } from '../../test/support/service/service.ts';
import type { Check } from '../checks.ts';
import { pythonProgram } from '../python.ts';
import { functionOf, invoke, type RunningRelease } from './invoke.ts';
import type { Moto } from './moto.ts';

const ROOT = join(import.meta.dirname, '../..');
const COMMANDS = [...OPERATORS_PAGES, 'deploy'].flatMap((page) =>
  commandsIn(readFileSync(join(ROOT, `docs/${page}.md`), 'utf8')),
);
const isLeftOut = (text: string): boolean => NOT_RUN.some(([pattern]) => pattern.test(text));

/** Version 1 of the CLI, which pip installs, has its own address of SQS, unless the command names another one. */
const PRELUDE = `aws() { command aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"; }
trap 'echo "failed: $BASH_COMMAND"' ERR`;

/** Runs the scenes of the runbook in a checkout of the deployed release. `folder`: for the data of `npm start`. */
export async function runbook(
  check: Check,
  moto: Moto,
  running: RunningRelease,
  { checkedOut, folder }: { readonly checkedOut: string; readonly folder: string },
): Promise<void> {
  const service = await run({ directory: folder, args: ['--empty'] });
  const create = async () =>
    (await invoke(running, 'customers', { method: 'POST', json: { name: 'Acme' } })).body.id;
  const aws = pythonProgram(import.meta.dirname, 'aws');
  const env = {
    ...moto.environment,
    ...running.there.outputs,
    PATH: [dirname(aws), dirname(process.execPath), process.env.PATH].join(delimiter),
    AWS_CONFIG_FILE: join(checkedOut, 'profiles'),
    URL: service.url,
    FUNCTION: functionOf(running, 'members').physical,
    CUSTOMER: String(await create()),
    OTHER_CUSTOMER: String(await create()),
  };
  await invoke(running, 'members', { method: 'POST', json: { name: 'Ada' } });
  const bash = async (script: string): Promise<void> => {
    const { code, log } = await command(
      'bash',
      ['--norc', '-euo', 'pipefail', '-c', `${PRELUDE}\n${script}`],
      {
        cwd: checkedOut,
        env,
      },
    );
    strictEqual(code, 0, log.slice(-4000));
  };
  try {
    for (const [section, scene] of Object.entries(SCENES)) {
      const texts = COMMANDS.filter((one) => one.section === section && !isLeftOut(one.text)).map(
        ({ text }) => withValues(text, scene),
      );
      await check(`the runbook, "${section}": ${texts.length} commands`, () =>
        bash([scene.before, ...texts, scene.after].join('\n')),
      );
    }
    const others = COMMANDS.filter(({ text }) => isLeftOut(text) && awsCallsIn(text).length > 0);
    await check('the AWS CLI knows the commands that do not run here', async () => {
      ok(others.length > 0);
      for (const { text } of others) await bash(`${text.replace(/\$\w+/g, 'text')} --generate-cli-skeleton`);
    });
  } finally {
    await service.stop();
  }
}
