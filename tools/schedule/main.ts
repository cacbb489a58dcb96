import { parseArgs } from 'node:util';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { RunMessage } from '../../functions/worker/schedules/turn.ts';
import { names, queueUrl } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { schedules } from '../../service/schedules.ts';
import { UserError } from '../user-error.ts';

/**
 * `npx resource-api run NAME [--queue URL]` begins a run of a schedule now: in the npm start that runs with this DATA_DIR, or
 * in the deployment whose output `RunName` is the queue.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { queue: { type: 'string' } },
});
const [name = '', ...others] = positionals;
if (!schedules.some((one) => one.name === name) || others.length > 0)
  throw new UserError(
    schedules.length === 0
      ? 'The service has no schedule.'
      : `Name one schedule: ${schedules.map((one) => one.name).join(', ')}. With --queue URL, it is that of a deployment.`,
  );
const message: RunMessage = { time: Date.now() };
const { sqs, QueueUrl } = place();
await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
console.log(`A run of ${name} begins: GET /operations?schedule=${name} shows how far it is.`);

/** Returns the queue, and the client that reaches it. */
function place(): { readonly sqs: SQSClient; readonly QueueUrl: string } {
  if (values.queue !== undefined) return { sqs: new SQSClient({}), QueueUrl: values.queue };
  const running = runningEngines(process.env);
  if (!running)
    throw new UserError('No npm start runs with this DATA_DIR: start it, or name a queue with --queue.');
  const endpoint = process.env.AWS_ENDPOINT_URL_SQS || running.url;
  const sqs = new SQSClient({ endpoint, credentials: running.credentials, region: 'us-east-1' });
  return { sqs, QueueUrl: queueUrl(names.scheduleQueue(name), endpoint) };
}
