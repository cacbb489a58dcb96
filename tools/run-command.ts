import { UserError } from './user-error.ts';

/** A command of a program. `run` gets its arguments. Most of them import a module, which reads the arguments itself. */
type Command = readonly [usage: string, about: string, run: (args: readonly string[]) => unknown];

/** Returns the words before the arguments: `sam start`. */
const nameOf = (usage: string): string => usage.replace(/ [[A-Z].*/, '');

/**
 * Runs the command that the arguments of this process name. Without a name, it lists the commands. The exit status is
 * 2 after an {@link UserError} and for an unknown name. `program`: the words before the name.
 */
export async function runCommand(program: string, commands: readonly Command[]): Promise<void> {
  const given = process.argv.slice(2);
  const command = commands.find(([usage]) => `${given.join(' ')} `.startsWith(`${nameOf(usage)} `));
  if (!command) {
    console.log(`${program} NAME [ARGUMENTS]`);
    for (const [usage, about] of commands) console.log(`  ${usage.padEnd(24)} ${about}`);
    process.exitCode = ['', '--help'].includes(given[0] ?? '') ? 0 : 2;
    return;
  }
  const [usage, , run] = command;
  // The command sees its own arguments alone.
  process.argv.splice(2, nameOf(usage).split(' ').length);
  try {
    await run(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
