import type { JsonService } from '../json-protocol.ts';
import { changeMessageVisibility } from './operations/change-message-visibility.ts';
import { createQueue } from './operations/create-queue.ts';
import { deleteMessage } from './operations/delete-message.ts';
import { deleteMessageBatch } from './operations/delete-message-batch.ts';
import { deleteQueue } from './operations/delete-queue.ts';
import { getQueueAttributes } from './operations/get-queue-attributes.ts';
import { getQueueUrl } from './operations/get-queue-url.ts';
import { listQueues } from './operations/list-queues.ts';
import { purgeQueue } from './operations/purge-queue.ts';
import { receiveMessage } from './operations/receive-message.ts';
import { sendMessage } from './operations/send-message.ts';
import { sendMessageBatch } from './operations/send-message-batch.ts';
import type { Sqs } from './sqs.ts';

const LEGACY: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
};

/** SQS on the wire: AWS JSON 1.0. Source: SQS Developer Guide "Making Query API requests using AWS JSON protocol". */
export const sqsService: JsonService<Sqs> = {
  name: 'SQS',
  contentType: 'application/x-amz-json-1.0',
  namespace: 'com.amazonaws.sqs',
  queryError: (code) => LEGACY[code] ?? code,
  operations: {
    ChangeMessageVisibility: changeMessageVisibility,
    CreateQueue: createQueue,
    DeleteMessage: deleteMessage,
    DeleteMessageBatch: deleteMessageBatch,
    DeleteQueue: deleteQueue,
    GetQueueAttributes: getQueueAttributes,
    GetQueueUrl: getQueueUrl,
    ListQueues: listQueues,
    PurgeQueue: purgeQueue,
    ReceiveMessage: receiveMessage,
    SendMessage: sendMessage,
    SendMessageBatch: sendMessageBatch,
  },
};
