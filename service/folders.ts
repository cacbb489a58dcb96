import { extname, join, relative, sep } from 'node:path';

/** The folder of this project: the repository, or the installed package. */
export const PACKAGE = join(import.meta.dirname, '..');

/** True if a service has installed this project as a package. */
export const isInstalled: boolean = PACKAGE.split(sep).includes('node_modules');

/**
 * The folder of the service: its resources, its data and the records of its releases. A service that has installed this
 * package runs in its own folder. Otherwise this repository is the service.
 */
export const SERVICE = isInstalled ? process.cwd() : PACKAGE;

/** The folder of the bundled functions. */
export const BUILD = join(SERVICE, '.build');

/** The folder beside the functions with the source maps of each: `orders/index.js.map` leads from code to sources. */
export const MAPS = '.maps';

/** The path of the runbook from the folder of the service. Alarms name its sections. */
export const RUNBOOK = relative(SERVICE, join(PACKAGE, 'docs/operations.md'));

/** The pages in `docs` with commands of operators. The first one is the runbook. */
export const OPERATORS_PAGES = ['operations', 'logs', 'releases', 'recovery'] as const;

/** Returns the path of a module of this project, such as `shared/lambda/serve`. Modules of the package are compiled. */
export const moduleAt = (path: string): string => join(PACKAGE, path + extname(import.meta.filename));

/** Returns a command line of operators, such as `npm run data -- export DIRECTORY`. */
export const commandLine = (name: string, given: string): string =>
  isInstalled ? `npx resource-api ${name} ${given}` : `npm run ${name} -- ${given}`;

/** The command line that records a release. */
export const RELEASE_COMMAND = isInstalled ? 'npx resource-api release' : 'npm run tool -- release';

/** The command line that prints a section of the runbook, without the name of the section. */
export const RUNBOOK_COMMAND = isInstalled ? 'npx resource-api runbook' : 'npm run tool -- runbook';
