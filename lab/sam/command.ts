import { Obstacle } from '../../tools/obstacle.ts';

/** Arguments before `--` are the command's own, those after it SAM's. */
export function ownArguments(): { own: string[]; passedOn: string[] } {
  const all = process.argv.slice(2);
  const at = all.indexOf('--');
  return at < 0 ? { own: all, passedOn: [] } : { own: all.slice(0, at), passedOn: all.slice(at + 1) };
}

/** Ends the process with the exit status of the command. For an Obstacle it prints a sentence. */
export async function main(run: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await run();
  } catch (error) {
    if (!(error instanceof Obstacle)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** Calls `stop` once when a signal asks the process to end. */
export function onInterrupt(stop: () => void): void {
  let asked = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // npm and the terminal both pass Ctrl-C on.
    process.on(signal, () => {
      if (!asked) stop();
      asked = true;
    });
  }
}
