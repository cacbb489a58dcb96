import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporary } from '../../test/support/service/service.ts';
import { type Named, namesOf, runParts } from '../parts.ts';
import { installPython } from '../python.ts';
import { deployment } from './parts/deployment.ts';
import { templates } from './parts/templates.ts';
import { wiring } from './parts/wiring.ts';

/**
 * `npm run lab -- rehearsal [PART…]` tests a deployment without an AWS account. It checks the templates of several
 * contexts with cdk-nag and cfn-lint. It then deploys three releases to moto, runs the commands of the runbook and
 * destroys the stack. It deploys another stack to MiniStack, which runs its functions. docs/rehearsal.md names the programs that it needs.
 */
const PARTS: readonly Named[] = [
  {
    name: 'templates',
    about: 'templates for several contexts: cdk-nag, cfn-lint, the same bytes again',
    run: (check) => templates(check, folder),
  },
  {
    name: 'deployment',
    about: 'three releases on moto, two steps back, and the commands of the runbook',
    run: (check) => deployment(check, folder),
  },
  {
    name: 'wiring',
    about: 'requests, messages, notifications, streams and a schedule on MiniStack',
    run: (check) => wiring(check, folder),
  },
];

const names = PARTS.map(({ name }) => name);
const chosen = namesOf(parseArgs({ allowPositionals: true }).positionals, names);
await installPython(import.meta.dirname);
if (chosen.includes('wiring')) await installPython(join(import.meta.dirname, 'ministack'));
const { directory: folder, remove } = await temporary();
await runParts(PARTS.filter(({ name }) => chosen.includes(name)));
await remove();
