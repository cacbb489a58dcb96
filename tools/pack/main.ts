import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UserError } from '../user-error.ts';
import { pack } from './pack.ts';

const USAGE = `npm run pack -- --out DIRECTORY [--version VERSION]
  DIRECTORY  gets resource-api-VERSION.tgz, which a service installs with npm install, and the packages that it contains:
             create-resource-api, embedded-aws and resource-api-client`;

try {
  const { values } = parseArgs({ options: { out: { type: 'string' }, version: { type: 'string' } } });
  if (values.out === undefined) throw new UserError(USAGE);
  for (const path of pack(resolve(values.out), values.version).all) console.log(path);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
