import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { makeService } from 'create-resource-api';
import { pack } from '../pack/pack.ts';
import { UserError } from '../user-error.ts';

/** The folder of a service with the package that this repository has packed. */
const PACKAGES = '.packages';

/**
 * `npm run create -- ../shop` makes a service in a new folder, as `npm create resource-api shop` does with a published
 * package. The service keeps its package, so it does not need this repository any more.
 */
const [name, ...others] = process.argv.slice(2);
try {
  if (name === undefined || others.length > 0) throw new UserError('npm run create -- FOLDER');
  const folder = resolve(name);
  if (existsSync(join(folder, 'package.json'))) throw new UserError(`${folder} has a package.json already.`);
  const work = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    const { service } = pack(work);
    mkdirSync(join(folder, PACKAGES), { recursive: true });
    cpSync(service, join(folder, PACKAGES, basename(service)));
    makeService(folder, `file:${PACKAGES}/${basename(service)}`);
  } finally {
    rmSync(work, { recursive: true });
  }
  console.log(`\ncd ${name} && npm start`);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
