import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { concerns, type QueueRule } from '../../engines/s3/notifications.ts';
import type { Credentials } from '../../engines/signature.ts';
import { REGION } from './place.ts';

/** How often a message is tried, and the pause between, in ms: a queue may be of a service that starts again. */
const TRIES = 20;
const PAUSE_MS = 500;

/** What S3 tells of an object, as far as it matters here. */
interface Told {
  readonly eventName: string;
  readonly s3: { readonly bucket: { readonly name: string }; readonly object: { readonly key: string } };
}

/** Takes the events of an S3 engine that knows webhooks but no queues, and sends them to the queues of SQS. */
export interface Bridge {
  /** Where the rules of a bucket are put: `PUT {url}/{bucket}`, as JSON; `queue` is a queue's URL. */
  readonly url: string;
  /** Where the engine posts events to. */
  readonly webhook: string;
  close(): Promise<void>;
}

/**
 * Opens a bridge on a free port of 127.0.0.1. `onRules` is called when a bucket has got rules, before they are
 * acknowledged. `credentials` are those of SQS.
 *
 * Source: S3 User Guide, "Event message structure".
 */
export async function bridge(
  onRules: (bucket: string) => Promise<void>,
  credentials: Credentials,
): Promise<Bridge> {
  const clients = new Map<string, SQSClient>();
  const clientOf = (endpoint: string): SQSClient => {
    const client =
      clients.get(endpoint) ?? new SQSClient({ endpoint, region: REGION, credentials, maxAttempts: 1 });
    clients.set(endpoint, client);
    return client;
  };
  const rulesOf = new Map<string, readonly QueueRule[]>();
  /** One message after another, in the order in which they came. */
  let sending = Promise.resolve();
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      if (request.method === 'PUT') {
        const bucket = decodeURIComponent((request.url ?? '').slice(1));
        rulesOf.set(bucket, JSON.parse(body) as QueueRule[]);
        await onRules(bucket);
      } else {
        for (const told of ((JSON.parse(body || '{}') as { Records?: Told[] }).Records ?? []).map(asTold)) {
          const { bucket, object } = told.s3;
          const key = decodeURIComponent(object.key.replaceAll('+', ' '));
          const rules = (rulesOf.get(bucket.name) ?? []).filter((rule) =>
            concerns(rule, told.eventName, key),
          );
          for (const { queue } of rules)
            sending = sending.then(() => delivered(clientOf(new URL(queue).origin), queue, told));
        }
      }
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    webhook: `${url}/`,
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Engines put `s3:` before the names of events, which S3 itself does in rules only. */
const asTold = (told: Told): Told => ({ ...told, eventName: told.eventName.replace(/^s3:/, '') });

async function delivered(sqs: SQSClient, QueueUrl: string, told: Told): Promise<void> {
  const message = new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ Records: [told] }) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sqs.send(message);
      return;
    } catch (error) {
      if (attempt === TRIES) return console.error(`Not told: ${told.s3.object.key} of ${QueueUrl}`, error);
      await pause(PAUSE_MS);
    }
  }
}
