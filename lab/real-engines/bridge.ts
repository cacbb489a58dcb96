/** Sends notifications of an S3 server to queues of ElasticMQ. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Credentials, concerns, type QueueRule } from 'embedded-aws';
import { REGION } from './place.ts';

/** Attempts to send a message, and the pause in ms between them. The service of a queue can be restarting. */
const TRIES = 20;
const PAUSE_MS = 500;

/** The used parts of an S3 notification. */
interface ObjectRecord {
  readonly eventName: string;
  readonly s3: { readonly bucket: { readonly name: string }; readonly object: { readonly key: string } };
}

/** Receives webhooks of an S3 engine that cannot notify queues, and sends them to SQS queues. */
export interface Bridge {
  /** Address for the rules of a bucket: `PUT {url}/{bucket}`, as JSON. `queue` is the URL of a queue. */
  readonly url: string;
  /** Address of the webhook for the engine. */
  readonly webhook: string;
  close(): Promise<void>;
}

/**
 * Opens a bridge on a free port of 127.0.0.1. `credentials` are those of SQS.
 *
 * Source: S3 User Guide, "Event message structure".
 */
export async function bridge(credentials: Credentials): Promise<Bridge> {
  const clients = new Map<string, SQSClient>();
  const clientOf = (endpoint: string): SQSClient => {
    const client =
      clients.get(endpoint) ?? new SQSClient({ endpoint, region: REGION, credentials, maxAttempts: 1 });
    clients.set(endpoint, client);
    return client;
  };
  const rulesOf = new Map<string, readonly QueueRule[]>();
  /** Sends one message after another, in the order of arrival. */
  let sending = Promise.resolve();
  const server = createServer(async (request, response) => {
    try {
      const body = await text(request);
      if (request.method === 'PUT') {
        const bucket = decodeURIComponent((request.url ?? '').slice(1));
        rulesOf.set(bucket, JSON.parse(body));
      } else {
        const { Records = [] }: { Records?: ObjectRecord[] } = JSON.parse(body || '{}');
        for (const record of Records.map(asRecord)) {
          const { bucket, object } = record.s3;
          const key = decodeURIComponent(object.key.replaceAll('+', ' '));
          const rules = (rulesOf.get(bucket.name) ?? []).filter((rule) =>
            concerns(rule, record.eventName, key),
          );
          for (const { queue } of rules)
            sending = sending.then(() => delivered(clientOf(new URL(queue).origin), queue, record));
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

/** Engines add `s3:` to the names of events. S3 does this only in rules. */
const asRecord = (record: ObjectRecord): ObjectRecord => ({
  ...record,
  eventName: record.eventName.replace(/^s3:/, ''),
});

async function delivered(sqs: SQSClient, QueueUrl: string, record: ObjectRecord): Promise<void> {
  const message = new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify({ Records: [record] }) });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await sqs.send(message);
      return;
    } catch (error) {
      if (attempt === TRIES) return console.error(`Not sent: ${record.s3.object.key} of ${QueueUrl}`, error);
      await pause(PAUSE_MS);
    }
  }
}
