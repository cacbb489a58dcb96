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

/** Maximum milliseconds to forward a message from one queue to the other. */
const FORWARD_MS = 30_000;

/** SQS clients: one for the queues of the service, one for the queues of the embedded engines. */
export interface Queues {
  readonly sqs: SQSClient;
  readonly embedded: SQSClient;
}

/**
 * Returns a function that makes the bucket notify a queue (its ARN) of files. S3 notifies the queue directly. If the
 * environment names a bridge, the bridge does it. `engineUrl`: the address of embedded queues for other processes.
 */
export const configureNotifications =
  (endpoints: Endpoints, { embedded }: Queues, engineUrl: string) =>
  async (queueArn: string): Promise<void> => {
    const name = names.uploadsQueue;
    if (endpoints.s3 && endpoints.s3Rules) {
      await notifyOverBridge(endpoints.s3Rules, queueUrl(name, endpoints.sqs ?? engineUrl));
    } else if (!endpoints.s3 && endpoints.sqs) {
      const { QueueUrl } = await embedded.send(new CreateQueueCommand({ QueueName: name }));
      const attributes = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] });
      await notify((await embedded.send(attributes)).Attributes?.QueueArn as string);
    } else await notify(queueArn);
  };

/**
 * Forwards notifications of the embedded S3 to an external SQS, because the embedded S3 knows only embedded queues.
 */
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
