import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import { UserError } from '../../tools/user-error.ts';
import type { RunningServer } from '../running.ts';
import { bridge } from './bridge.ts';
import type { Service } from './engines.ts';
import { environment } from './environment.ts';
import { type Options, readOptions } from './options.ts';
import { CREDENTIALS } from './place.ts';
import { startEngine } from './start.ts';

/** `npm run lab -- engines COMMAND` runs a command on real engines, which end with it. */
let command: ChildProcess | undefined;
let stopping: NodeJS.Signals | undefined;
/**
 * At a terminal, signals of the keyboard reach the command and its children. Elsewhere they form their own process
 * group, because a signal to npm alone would not reach the children of npm.
 */
const isGroup = !process.stdin.isTTY && process.platform !== 'win32';
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    stopping ??= signal;
    if (command?.pid === undefined || command.exitCode !== null || command.signalCode !== null) return;
    process.kill(isGroup ? -command.pid : command.pid, signal);
  });
}

process.exitCode = await onEngines(readOptions(process.argv.slice(2)));

/** Returns the exit status of the command after all processes have ended. */
async function onEngines(options: Options): Promise<number> {
  const data = mkdtempSync(join(tmpdir(), 'resource-api-engines-'));
  const ports = new Map<Service, number>();
  for (const service of options.only) ports.set(service, await freePort());
  const notifications = await bridge(CREDENTIALS);
  const engines: RunningServer[] = [];
  try {
    for (const [service, port] of ports)
      engines.push(await startEngine(service, port, { data, webhook: notifications.webhook }));
    if (stopping) return statusOf(null, stopping);
    return await run(options.command, environment({ ports, rulesUrl: notifications.url, data }));
  } finally {
    await Promise.all(engines.map((engine) => engine.stop()));
    await notifications.close();
    rmSync(data, { recursive: true, force: true });
  }
}

function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((ended, failed) => {
    command = spawn(program, args, {
      detached: isGroup,
      env,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    command.once('error', ({ message }) => failed(new UserError(message)));
    command.once('close', (code, signal) => ended(statusOf(code, signal)));
  });
}

/** The exit status of a signal, as in shells. */
function statusOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}
