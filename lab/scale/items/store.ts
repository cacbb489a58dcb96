import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inProcess, openEngines } from 'embedded-aws';
import { freePort } from '../../../test/support/free-port.ts';
import { processorTime } from '../../bench/servers/process.ts';
import { CREDENTIALS, REGION } from '../../real-engines/place.ts';
import { startEngine } from '../../real-engines/start.ts';

type Transport = ReturnType<typeof inProcess>;

/** A store for the tables of a service. */
export interface Store {
  readonly transport: Transport;
  /** Processor time in µs since the start: of this process with an embedded store, of DynamoDB Local without the client. */
  processorTime(): number;
  close(): Promise<void>;
}

/** The other members of a transport, which has no settings. */
const PLAIN: Omit<Transport, 'handle'> = {
  metadata: { handlerProtocol: 'h1' },
  updateHttpClientConfig: () => undefined,
  httpHandlerConfigs: () => ({}),
  destroy: () => undefined,
};

/** The kinds of stores. */
const STORES = {
  embedded: async (folder: string): Promise<Store> => {
    const engines = openEngines({ directory: folder, credentials: CREDENTIALS });
    return {
      transport: inProcess(engines),
      processorTime: () => {
        const { user, system } = process.cpuUsage();
        return user + system;
      },
      close: () => engines.close(),
    };
  },
  'DynamoDB Local': async (folder: string): Promise<Store> => {
    const port = await freePort();
    const { child, stop } = await startEngine('dynamodb', port, { data: folder, webhook: '' });
    const network: Pick<Transport, 'handle'> = new DynamoDBClient({ region: REGION }).config.requestHandler;
    const handle: Transport['handle'] = (request, options) =>
      network.handle(Object.assign(request, { protocol: 'http:', hostname: '127.0.0.1', port }), options);
    return {
      transport: { ...PLAIN, handle },
      processorTime: () => processorTime(child.pid),
      close: stop,
    };
  },
} as const satisfies Readonly<Record<string, (folder: string) => Promise<Store>>>;

export type StoreName = keyof typeof STORES;

/** Two stores of a kind, and the transport of clients, which leads to one of them. */
interface Stores {
  readonly requestHandler: Transport;
  /** The store that clients reach from now on. */
  use(which: 'small' | 'large'): Store;
}

/** Opens two stores of a kind in a temporary folder. */
export async function withStores<Result>(
  name: StoreName,
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'resource-api-scale-'));
  const open = (which: string) => STORES[name](mkdtempSync(join(folder, which)));
  const small = await open('small');
  const large = await open('large');
  let current = small;
  try {
    return await work({
      requestHandler: { ...PLAIN, handle: (request, options) => current.transport.handle(request, options) },
      use: (which) => {
        current = which === 'small' ? small : large;
        return current;
      },
    });
  } finally {
    await small.close();
    await large.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
