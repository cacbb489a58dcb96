import { jsonOperation } from '../../json-protocol.ts';
import { nextVisible, take } from '../receive.ts';
import { queueAt, type Sqs, type SqsRequest, within } from '../sqs.ts';
import { selectAttributes } from './get-queue-attributes.ts';

// Maximum ms between two checks, because no timer notices a change of the clock.
const LOOK_AGAIN = 1000;

/** Receives messages, with a long poll if the request asks for it. Source: SQS API Reference "ReceiveMessage". */
export const receiveMessage = jsonOperation(
  'QueueUrl MaxNumberOfMessages VisibilityTimeout WaitTimeSeconds MessageSystemAttributeNames',
  async (sqs: Sqs, request: SqsRequest) => {
    const queue = queueAt(sqs, request.QueueUrl);
    const limit = within('MaxNumberOfMessages', request.MaxNumberOfMessages ?? 1, 1, 10);
    const timeout = request.VisibilityTimeout ?? Number(queue.attributes.VisibilityTimeout);
    const hidden = within('VisibilityTimeout', timeout, 0, 43_200) * 1000;
    const patience = within('WaitTimeSeconds', request.WaitTimeSeconds ?? 0, 0, 20) * 1000;
    const deadline = performance.now() + patience;
    while (!sqs.arrivals.closed) {
      const taken = take(sqs, queue, limit, hidden);
      const names = request.MessageSystemAttributeNames;
      const shown = taken.map((message) => ({
        ...message,
        Attributes: selectAttributes(message.Attributes, names),
      }));
      if (shown.length > 0) return { Messages: shown };
      const left = deadline - performance.now();
      if (left <= 0) break;
      const due = nextVisible(sqs, queue) - sqs.storage.now();
      await sqs.arrivals.wait(Math.max(1, Math.min(left, due, LOOK_AGAIN)));
    }
    return {};
  },
);
