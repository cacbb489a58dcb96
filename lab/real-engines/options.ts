import { UserError } from '../../tools/user-error.ts';
import { SERVICES, type Service } from './engines.ts';

export interface Options {
  /** The services with a real engine. The others stay embedded. */
  readonly only: readonly Service[];
  /** The command and its arguments. */
  readonly command: readonly string[];
}

export const USAGE = `npm run lab -- engines [--only SERVICES] COMMAND...
  Runs COMMAND on real engines instead of the embedded ones, ends them after it, and exits with its status.
  --only SERVICES  which are real, of ${SERVICES.join(',')}; all of them without it
For example: npm run lab -- engines npm test -- engines/test test/conformance
docs/engines.md names what the engines need. The first run installs them into .engines/ of this checkout.`;

/**
 * Reads the option before COMMAND. All later arguments belong to the command. @throws UserError for an invalid command line
 */
export function readOptions(args: readonly string[]): Options {
  const [first, given = ''] = args;
  const names = given.split(',');
  const isLimited = first === '--only';
  const command = isLimited ? args.slice(2) : args;
  if (command[0] === undefined || command[0].startsWith('-')) throw new UserError(USAGE);
  if (!isLimited) return { only: SERVICES, command };
  const only = SERVICES.filter((service) => names.includes(service));
  if (only.length === names.length) return { only, command };
  throw new UserError(`--only takes ${SERVICES.join(',')}, not '${given}'`);
}
