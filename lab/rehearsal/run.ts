import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { temporary } from '../../test/support/service/service.ts';
import { namesOf, runParts } from '../parts.ts';
import { installPython } from '../python.ts';
import type { Part } from './part.ts';
import { deployment } from './parts/deployment.ts';
import { templates } from './parts/templates.ts';

/**
 * `npm run tool -- rehearsal [PART…]` tests a deployment without an AWS account. It checks the templates of several
 * contexts with cdk-nag and cfn-lint. It then deploys three releases to moto, runs the
 * commands of the runbook and destroys the stack. It needs python3 with venv.
 */
const PARTS: Readonly<Record<string, Part>> = { templates, deployment };

const chosen = namesOf(parseArgs({ allowPositionals: true }).positionals, Object.keys(PARTS));
for (const folder of ['.', 'checkov']) installPython(join(import.meta.dirname, folder));
const { directory: folder, remove } = await temporary();
await runParts(
  Object.entries(PARTS)
    .filter(([name]) => chosen.includes(name))
    .map(([name, { about, run }]) => ({ name, about, run: (check) => run({ check, folder }) })),
);
await remove();
