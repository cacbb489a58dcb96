import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { names, queueUrl } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { data } from '../../test/data/tool.ts';
import { demand, type Kind, locationOf, once } from './clients.ts';

/** Ms between two turns. */
const EVERY_MS = 5000;
/** Ms in which work of an operator must succeed. A killed service starts again within seconds. */
const PATIENCE_MS = 120_000;

/** Does work again until it returns no failure. @throws Error with its last failure after two minutes */
async function persist(work: () => Promise<string | undefined>): Promise<void> {
  for (const until = Date.now() + PATIENCE_MS; ; await pause(250)) {
    const failure = await work();
    if (failure === undefined) return;
    if (Date.now() > until) throw new Error(failure);
  }
}

/** Exports the products, removes one of them, and imports it again. */
const imports =
  (directory: string): Kind =>
  ({ send, ledger }) =>
  async () => {
    await pause(EVERY_MS);
    const place = await mkdtemp(join(tmpdir(), 'resource-api-soak-'));
    const command = (name: string) =>
      persist(async () => {
        const { code, output } = await data(directory, [name, place, 'products']);
        return code === 0 ? undefined : `${name}: ${output}`;
      });
    try {
      const name = `soak ${randomUUID()}`;
      const json = { name, price: 1 };
      const path = locationOf(await send('POST', '/products', { json, headers: once() }));
      ledger.record(path, { name });
      await command('export');
      demand(await send('DELETE', path), 204, 404);
      ledger.record(path, 'removed');
      demand(await send('GET', path), 404);
      await command('import');
      ledger.record(path, json);
    } finally {
      await rm(place, { recursive: true });
    }
  };

/** Makes the worker compare all files with their list, as an operator does. */
const comparisons =
  (directory: string): Kind =>
  () =>
  async () => {
    await pause(EVERY_MS);
    await persist(async () => {
      const engines = runningEngines({ DATA_DIR: directory });
      if (engines === undefined) return 'No service runs';
      const { url: endpoint, credentials } = engines;
      const sqs = new SQSClient({ endpoint, credentials, region: 'us-east-1', maxAttempts: 1 });
      const QueueUrl = queueUrl(names.queue, endpoint);
      const message = new SendMessageCommand({ QueueUrl, MessageBody: '{"compare":{"of":"files"}}' });
      const failure = await sqs.send(message).then(
        () => undefined,
        (error: Error) => error.message,
      );
      sqs.destroy();
      return failure;
    });
  };

/** What operators do beside the clients to the service in a data directory. */
export const maintenance = (
  directory: string,
): readonly (readonly [name: string, kind: Kind, count: number])[] => [
  ['imports', imports(directory), 1],
  ['comparisons', comparisons(directory), 1],
];
