import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Endpoints } from '../endpoints.ts';
import { names, queueUrl } from '../provision/names.ts';
import { type Notified, notify, notifyOverBridge } from './notify.ts';
import { type Pump, pump } from './pump.ts';

/** Maximum milliseconds to forward a message from one queue to the other. */
const FORWARD_MS = 30_000;

/** SQS clients: one for the queues of the service, one for the queues of the embedded engines. */
export interface Queues {
  readonly sqs: SQSClient;
  readonly embedded: SQSClient;
}

/**
 * Returns a function that makes the bucket notify queues (their ARNs) of files. S3 notifies the queues directly. If the
 * environment names a bridge, the bridge does it. `engineUrl`: the address of embedded queues for other processes.
 */
export const configureNotifications =
  (endpoints: Endpoints, { embedded }: Queues, engineUrl: string) =>
  async (queueArns: Notified): Promise<void> => {
    const { uploadsQueue, largeUploadsQueue } = names;
    if (endpoints.s3 && endpoints.s3Rules) {
      const url = (name: string) => queueUrl(name, endpoints.sqs ?? engineUrl);
      const urls = { small: url(uploadsQueue), large: url(largeUploadsQueue) };
      await notifyOverBridge(endpoints.s3Rules, urls);
    } else if (!endpoints.s3 && endpoints.sqs) {
      const small = await provideEmbedded(embedded, uploadsQueue);
      await notify({ small, large: await provideEmbedded(embedded, largeUploadsQueue) });
    } else await notify(queueArns);
  };

/** Creates a queue of the embedded engines. Returns its ARN. */
async function provideEmbedded(embedded: SQSClient, QueueName: string): Promise<string> {
  const { QueueUrl } = await embedded.send(new CreateQueueCommand({ QueueName }));
  const attributes = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
  return (await embedded.send(attributes)).Attributes?.QueueArn as string;
}

/**
 * Forwards notifications of the embedded S3 to an external SQS, because the embedded S3 knows only embedded queues.
 */
export function forwardNotifications(endpoints: Endpoints, { sqs, embedded }: Queues): readonly Pump[] {
  if (endpoints.s3 || !endpoints.sqs) return [];
  return [names.uploadsQueue, names.largeUploadsQueue].map((name) =>
    pump(embedded, {
      queueUrl: queueUrl(name),
      handler: async ({ Records }) => {
        for (const { body } of Records)
          await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(name), MessageBody: body }));
        return { batchItemFailures: [] };
      },
      batchSize: 1,
      concurrency: 1,
      timeout: FORWARD_MS,
    }),
  );
}
