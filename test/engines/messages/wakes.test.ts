import { expect, test } from '@jest/globals';
import { sendFanOut, sendWake } from '../../../shared/aws/clients/queue.ts';
import { attached } from '../attached.ts';

/** The messages that the service has sent: the end of the name of the queue, the content and the delay in seconds. */
const sent: unknown[] = [];
attached((call, pass) => {
  const { headers, body } = call[0];
  if (headers['x-amz-target'] === 'AmazonSQS.SendMessage') {
    const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : String(body);
    const { QueueUrl, MessageBody, DelaySeconds = 0 } = JSON.parse(text);
    sent.push([QueueUrl.split('-').at(-1), JSON.parse(MessageBody), DelaySeconds]);
  }
  return pass(...call);
});

// Specification 18.8, 18.9. An early wake finds nothing due, and the next one comes after a minute.
test('a wake goes to the queue of its lane, and never arrives before its time', async () => {
  await sendWake('proven', 7);
  await sendWake('other', 8, 1);
  await sendWake('other', 8, 5001);
  await sendWake('proven', 7, -5);
  await sendFanOut();
  expect(sent).toEqual([
    ['proven', { kind: 'wake', subscription: 7 }, 0],
    ['webhooks', { kind: 'wake', subscription: 8 }, 1],
    ['webhooks', { kind: 'wake', subscription: 8 }, 6],
    ['proven', { kind: 'wake', subscription: 7 }, 0],
    ['fanout', {}, 0],
  ]);
});
