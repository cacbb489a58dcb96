import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { setTimeout as later } from 'node:timers/promises';
import { type Engines, listen } from 'embedded-aws';
import { names, queueUrl } from '../../local/provision/names.ts';
import { freePort } from '../support/free-port.ts';
import type { FaultyTransport } from './harness.ts';
import { overSockets } from './sockets.ts';

const SERVER = process.env.TOXIPROXY_SERVER ?? 'toxiproxy-server';
/** Milliseconds: the clients' response time-out, and the delay of a delayed call. */
const PATIENCE = 300;
const DELAY = 500;

/**
 * Faults of the connections between the service and the engines, each with this probability. Source: Toxiproxy,
 * "Toxics".
 */
export const TOXICS = {
  'calls that arrive too late': { type: 'latency', stream: 'upstream', attributes: { latency: DELAY } },
  'answers that arrive too late': { type: 'latency', stream: 'downstream', attributes: { latency: DELAY } },
  'connections reset before the answer': {
    type: 'reset_peer',
    stream: 'downstream',
    attributes: { timeout: 0 },
  },
  'connections reset before the call': { type: 'reset_peer', stream: 'upstream', attributes: { timeout: 0 } },
  'answers that never come': { type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } },
  'answers that are cut off': { type: 'limit_data', stream: 'downstream', attributes: { bytes: 100 } },
} as const;
const CHANCE = 0.5;

/** True if the program is installed. */
export const isInstalled = (): boolean => spawnSync(SERVER, ['-version']).status === 0;

/** Toxiproxy between the service's clients and the engines' listener. */
export class Toxiproxy {
  #api = '';
  #process: ChildProcess | undefined;

  /** The transport to the listening engines. */
  readonly to = async (engines: Engines): Promise<FaultyTransport> => {
    const listener = await listen(engines, { host: '127.0.0.1', port: 0 });
    const [apiPort, port] = [await freePort(), await freePort()];
    this.#api = `http://127.0.0.1:${apiPort}`;
    this.#process = spawn(SERVER, ['-host', '127.0.0.1', '-port', String(apiPort)], { stdio: 'ignore' });
    await this.#ready();
    await this.#ask('POST', '/proxies', {
      name: 'engines',
      listen: `127.0.0.1:${port}`,
      upstream: listener.url.slice('http://'.length),
    });
    const url = `http://127.0.0.1:${port}`;
    for (const service of ['DYNAMODB', 'S3', 'SQS', 'EVENTBRIDGE'])
      process.env[`AWS_ENDPOINT_URL_${service}`] = url;
    process.env.OPERATIONS_QUEUE = queueUrl(names.queue, url);
    return {
      settings: { requestHandler: overSockets(PATIENCE) },
      clear: () => this.clear(),
      close: async () => {
        this.#process?.kill();
        await listener.close();
      },
    };
  };

  /** Applies the toxic to all further connections. */
  async poison(toxic: keyof typeof TOXICS): Promise<void> {
    await this.#ask('POST', '/proxies/engines/toxics', { name: 'toxic', toxicity: CHANCE, ...TOXICS[toxic] });
  }

  /** Ends the proxy and its connections. Waits for running calls. */
  async clear(): Promise<void> {
    await this.#ask('DELETE', '/proxies/engines/toxics/toxic').catch(() => undefined);
    await this.#ask('POST', '/proxies/engines', { enabled: false });
    await later(DELAY);
    await this.#ask('POST', '/proxies/engines', { enabled: true });
  }

  async #ready(): Promise<void> {
    for (let times = 0; times < 100; times += 1) {
      if (
        await this.#ask('GET', '/version').then(
          () => true,
          () => false,
        )
      )
        return;
      await later(50);
    }
    throw new Error(`${SERVER} does not answer`);
  }

  async #ask(method: string, path: string, json?: object): Promise<void> {
    const answer = await fetch(this.#api + path, { method, ...(json ? { body: JSON.stringify(json) } : {}) });
    if (!answer.ok) throw new Error(`${answer.status} to ${method} ${path}: ${await answer.text()}`);
  }
}
