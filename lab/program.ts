import { command } from '../test/support/service/command.ts';
import { UserError } from '../tools/user-error.ts';

/** Characters of the output of a failed program that its message has. */
const SHOWN = 4000;
/** The most minutes of a program. DynamoDB Local needs half an hour to store a million items. */
const LIMIT_MS = 60 * 60_000;

/**
 * Runs a program to its end. Returns its stdout.
 * @throws UserError that begins with `otherwise` and has the end of the output, if it is missing or fails
 */
export async function succeed(
  program: string,
  args: readonly string[],
  otherwise: string,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { code, log, stdout } = await command(program, args, { limitMs: LIMIT_MS, ...options }).catch(
    ({ message }: Error) => ({ code: undefined, log: message, stdout: '' }),
  );
  if (code !== 0) throw new UserError(`${otherwise}.\n${log.slice(-SHOWN)}`);
  return stdout.toString();
}
