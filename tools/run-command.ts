import { Obstacle } from './obstacle.ts';

/** A command of `npm run tool` or `npm run lab`. `run` imports its module, which reads the arguments itself. */
export type Command = readonly [usage: string, about: string, run: () => Promise<unknown>];

/** The words before the arguments: `sam start`. */
const nameOf = (usage: string): string => usage.replace(/ [[A-Z].*/, '');

/**
 * Runs the command that the arguments of this process name. Without a name, it lists the commands. The exit status is
 * 1 after an {@link Obstacle}, and 2 for an unknown name.
 */
export async function runCommand(script: string, commands: readonly Command[]): Promise<void> {
  const given = process.argv.slice(2);
  const command = commands.find(([usage]) => `${given.join(' ')} `.startsWith(`${nameOf(usage)} `));
  if (!command) {
    console.log(`npm run ${script} -- NAME [ARGUMENTS]`);
    for (const [usage, about] of commands) console.log(`  ${usage.padEnd(24)} ${about}`);
    process.exitCode = given.length === 0 ? 0 : 2;
    return;
  }
  const [usage, , run] = command;
  // The command sees its own arguments alone.
  process.argv.splice(2, nameOf(usage).split(' ').length);
  try {
    await run();
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
