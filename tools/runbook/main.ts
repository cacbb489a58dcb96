import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OPERATORS_PAGES, PACKAGE, SERVICE } from '../../service/folders.ts';
import { UserError } from '../user-error.ts';
import { runbookFor } from './runbook.ts';

const USAGE = `runbook [SECTION] [--stack NAME] [--region REGION]
  SECTION   a heading of docs/operations.md, logs.md, releases.md or recovery.md, or the name of an alarm, such as new-code
  --stack   the name of the stack; without it, the one that cdk.ts names
  --region  its region; without it, AWS_REGION or the one of your profile`;

/** Returns the name of the stack in cdk.ts of a service. @throws UserError if it names none in a form that this finds */
function stackOf(folder: string): string {
  const file = join(folder, 'cdk.ts');
  const [, name] =
    (existsSync(file) && /new ResourceApi\([^'"`]*['"`]([\w-]+)['"`]/.exec(readFileSync(file, 'utf8'))) || [];
  if (name !== undefined) return name;
  if (!existsSync(file)) return 'resource-api';
  throw new UserError('cdk.ts names no stack in quotes: give --stack NAME');
}

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { stack: { type: 'string' }, region: { type: 'string' } },
  });
  if (positionals.length > 1) throw new UserError(USAGE);
  const deployed = {
    stack: values.stack ?? stackOf(SERVICE),
    region: values.region ?? process.env.AWS_REGION,
  };
  const pages = OPERATORS_PAGES.map((page) => readFileSync(join(PACKAGE, `docs/${page}.md`), 'utf8'));
  console.log(runbookFor(pages.join('\n'), deployed, positionals[0]));
} catch (error) {
  const isUse = error instanceof UserError || (error instanceof TypeError && 'code' in error);
  if (!isUse) throw error;
  console.error(error.message.includes('SECTION') ? USAGE : `${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
