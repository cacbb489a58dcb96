import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICE } from '../../service/folders.ts';
import { UserError } from '../user-error.ts';

const USAGE = `cost [-c OPTION=VALUE]...
  OPTION  an option of the deployment, such as -c observability=full; cdk.json counts, too. The options in cdk.ts do not:
          cdk synth prints the price at rest with all options`;

/** Returns the options in `cdk.json` and in the arguments. @throws UserError for other arguments */
function contextOf(): Record<string, unknown> {
  const { values } = parseArgs({
    options: { context: { type: 'string', short: 'c', multiple: true, default: [] } },
  });
  const given = values.context.map((text): [string, string] => {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UserError(`'${text}' must have the form OPTION=VALUE`);
    return [name, value];
  });
  const file = join(SERVICE, 'cdk.json');
  const { context = {} } = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  return { ...context, ...Object.fromEntries(given) };
}

/** `npx resource-api cost` prints what this service costs at rest, and a million of each of its requests. */
async function main(): Promise<void> {
  const context = contextOf();
  const { printCosts } = await import('./print.ts');
  await printCosts(context);
}

try {
  await main();
  // The service keeps unused connections open, which would keep the process alive.
  process.exit();
} catch (error) {
  const isUse = error instanceof UserError || (error instanceof TypeError && 'code' in error);
  if (!isUse) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}
