import { join, sep } from 'node:path';

/** The folder of this package: the root of the repository, or `node_modules/resource-api` of a service. */
export const PACKAGE = join(import.meta.dirname, '..');

/** The folder of the service: the current directory if it uses the package, otherwise the repository itself. */
export const SERVICE = PACKAGE.includes(`${sep}node_modules${sep}`) ? process.cwd() : PACKAGE;
