import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Endpoints } from '../endpoints.ts';
import { names, queueUrl } from '../names.ts';
import { notify, notifyOverBridge } from './notify.ts';
import { pump } from './pump.ts';

/** How long a message may take from one queue to the other, in ms. */
const FORWARD_MS = 30_000;

/** The clients of SQS: of the queues of the service, and of those of the embedded engines. */
export interface Queues {
  readonly sqs: SQSClient;
  readonly embedded: SQSClient;
}

/**
 * How the bucket tells the queue (its ARN) of files, wherever the two are: by itself, or over the bridge where S3 says
 * that it cannot. `engineUrl`: where embedded queues are reached over the network.
 */
export const configureNotifications =
  (endpoints: Endpoints, { embedded }: Queues, engineUrl: string) =>
  async (queueArn: string): Promise<void> => {
    const name = names.uploadsQueue;
    if (endpoints.s3 && endpoints.s3Rules) {
      await notifyOverBridge(endpoints.s3Rules, queueUrl(name, endpoints.sqs ?? engineUrl));
    } else if (!endpoints.s3 && endpoints.sqs) {
      const { QueueUrl } = await embedded.send(new CreateQueueCommand({ QueueName: name }));
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
      await notify((await embedded.send(asked)).Attributes?.QueueArn as string);
    } else await notify(queueArn);
  };

/** Passes on what the embedded S3, which knows embedded queues alone, tells of files, where the queue is another. */
export function forwardNotifications(
  endpoints: Endpoints,
  { sqs, embedded }: Queues,
): { stop(): Promise<void> } {
  if (endpoints.s3 || !endpoints.sqs) return { stop: async () => {} };
  return pump(embedded, {
    queueUrl: queueUrl(names.uploadsQueue),
    handler: async ({ Records }) => {
      for (const { body } of Records)
        await sqs.send(new SendMessageCommand({ QueueUrl: queueUrl(names.uploadsQueue), MessageBody: body }));
      return { batchItemFailures: [] };
    },
    batchSize: 1,
    concurrency: 1,
    timeout: FORWARD_MS,
  });
}
