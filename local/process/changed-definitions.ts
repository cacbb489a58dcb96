import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SERVICE } from '../../service/folders.ts';

/** Editors write a file in several steps. Unit: ms. */
const PAUSE_MS = 100;

/** The environment variable with the file whose change began this process. */
const CHANGED = 'CHANGED_DEFINITION';

/**
 * Calls `stop` after a change of a definition of the service, and then begins this process anew, with the same number, address
 * and data. Node's own `--watch` needs a process more, and does not see a new file. `isEnding`: true once the process ends:
 * the new one would not know of the signal.
 */
export function restartAfterChanges(stop: () => Promise<void>, isEnding = () => false): void {
  // Windows cannot replace a process.
  if (process.platform === 'win32') return;
  let timer: NodeJS.Timeout | undefined;
  let isRestarting = false;
  const restart = async (file: string) => {
    if (isRestarting || isEnding()) return;
    isRestarting = true;
    console.log(`${file} has changed.`);
    await stop().catch((error) => console.error(error));
    if (isEnding()) return;
    module.flushCompileCache();
    const environment = { ...process.env, [CHANGED]: file };
    process.execve?.(
      process.execPath,
      [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
      environment,
    );
  };
  watch(join(SERVICE, 'functions'), { recursive: true }, (_event, name) => {
    if (!name?.endsWith('.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => void restart(join('functions', name)), PAUSE_MS);
  }).on('error', () => undefined);
}

/** Prints the type errors of the file whose change began this process. Node runs it all the same. */
export function warnOfTypes(): void {
  const { [CHANGED]: file } = process.env;
  if (file === undefined) return;
  const tsc = join(
    dirname(createRequire(join(SERVICE, 'package.json')).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const child = spawn(process.execPath, [tsc, '-p', '.', '--noEmit', '--pretty', 'false'], {
    cwd: SERVICE,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.on('close', () => {
    for (const line of printed.split('\n')) if (line.startsWith(`${file}(`)) console.warn(`Warning: ${line}`);
  });
}
