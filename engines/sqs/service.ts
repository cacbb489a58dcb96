import type { JsonService } from '../json-protocol.ts';
import { changeMessageVisibility } from './operations/change-message-visibility.ts';
import { createQueue } from './operations/create-queue.ts';
import { deleteMessage } from './operations/delete-message.ts';
import { getQueueAttributes } from './operations/get-queue-attributes.ts';
import { receiveMessage } from './operations/receive-message.ts';
import { sendMessage } from './operations/send-message.ts';
import type { Sqs } from './sqs.ts';

/** SQS on the wire. Source: SQS Developer Guide "Making Query API requests using AWS JSON protocol". */
export const sqsService: JsonService<Sqs> = {
  name: 'SQS',
  namespace: 'com.amazonaws.sqs',
  operations: {
    ChangeMessageVisibility: changeMessageVisibility,
    CreateQueue: createQueue,
    DeleteMessage: deleteMessage,
    GetQueueAttributes: getQueueAttributes,
    ReceiveMessage: receiveMessage,
    SendMessage: sendMessage,
  },
};
