import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const BASE = 'http://127.0.0.1:3000';
const SEPARATOR = '\u001e';

/** A command that a document shows, and the output below it. `…` in an output matches any text. */
export interface DocumentCommand {
  readonly command: string;
  readonly output: string;
}

const unwrapped = (text: string): string => text.replaceAll('\r', '').replace(/\n\s*/g, '');

const patternOf = (output: string): RegExp =>
  new RegExp(
    `^${unwrapped(output)
      .split('…')
      .map((part) => part.replace(/[^\w\s]/g, '\\$&'))
      .join('.*')}$`,
    's',
  );

/**
 * Runs the commands as a reader pastes them, against the service at `url`: one shell keeps the variables. Returns each
 * command whose output differs from the shown one, with its output.
 */
export async function differences(
  shown: readonly DocumentCommand[],
  url: string,
  cwd?: string,
): Promise<readonly string[]> {
  const script = shown
    .map(({ command }) => `${command.replaceAll(BASE, url)}\nprintf '${SEPARATOR}'`)
    .join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd });
  const printed = stdout.split(SEPARATOR).map(unwrapped);
  return shown.flatMap(({ command, output }, at) =>
    patternOf(output).test(printed[at] ?? '') ? [] : [`${command}\n${printed[at]}`],
  );
}
