/** Starts the functions in containers behind the API of SAM. */

import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Options } from '../../local/options.ts';
import { start } from '../../local/service.ts';
import { DEFAULT_SHARDS } from '../../shared/aws/config.ts';
import { freePort } from '../../test/support/free-port.ts';
import { UserError } from '../../tools/user-error.ts';
import { requireSam, startSam } from './sam.ts';
import { synthesize } from './template.ts';

/** Time-out in ms for SAM to listen. */
const START_MS = 60_000;
const LOOK_MS = 100;

export interface SamApi {
  /** The address of the functions in containers. */
  readonly url: string;
  /** The address of the same functions on the same data, without containers. */
  readonly inProcessUrl: string;
  /** Resolves with SAM's exit status after everything has ended. */
  readonly ended: Promise<number>;
  stop(): void;
}

/**
 * Starts everything that `npm start` runs, and SAM's API on the same engines. The worker, the sweeper and the events
 * function run in this process, because SAM supports no queues, streams or schedules.
 *
 * @param passedOn options of `sam local start-api`
 * @throws UserError if a requirement is missing, or SAM ends before it listens
 */
export async function startApi(
  options: Options,
  passedOn: readonly string[],
  stdio: 'inherit' | number,
): Promise<SamApi> {
  await requireSam();
  if (options.port !== 0 && (await accepts(options.port, options.host)))
    throw new UserError(`Port ${options.port} of ${options.host} is not free: choose another PORT.`);
  const port = options.port || (await freePort());
  const template = await synthesize();
  // SAM's functions have the number of shards of a deployment.
  const service = await start({ ...options, port: 0, host: '127.0.0.1', shards: DEFAULT_SHARDS });
  // The service publishes its description before the first request for it, which the containers do not send here.
  await (await fetch(`${service.url}/openapi.json`)).arrayBuffer();
  const address = ['--port', String(port), '--host', options.host];
  const command = ['start-api', '--warm-containers', 'LAZY', ...address, ...passedOn];
  const engines = { url: service.engineUrl, credentials: service.credentials };
  const sam = await startSam(command, template, engines, stdio).catch(async (error) => {
    await service.stop();
    throw error;
  });
  // The engines close last, because running requests need them.
  const ended = sam.ended.finally(() => service.stop());
  if (!(await listens(port, options.host, ended))) {
    sam.stop();
    await ended;
    throw new UserError('SAM did not start to listen.');
  }
  return { url: `http://${options.host}:${port}`, inProcessUrl: service.url, ended, stop: sam.stop };
}

/** Waits until the port accepts connections. False if the process ended first. */
async function listens(port: number, host: string, ended: Promise<number>): Promise<boolean> {
  let over = false;
  void ended.finally(() => {
    over = true;
  });
  for (const start = performance.now(); !over && performance.now() - start < START_MS; ) {
    if (await accepts(port, host)) return true;
    await pause(LOOK_MS);
  }
  return false;
}

/** True if the port accepts a connection. */
async function accepts(port: number, host: string): Promise<boolean> {
  const socket = connect(port, host);
  const answer = await new Promise<boolean>((done) => {
    socket.once('connect', () => done(true)).once('error', () => done(false));
  });
  socket.destroy();
  return answer;
}
