import { parseArgs } from 'node:util';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { isBackfillable } from '../../functions/worker/backfill/backfill.ts';
import type { OperationMessage } from '../../functions/worker/backfill/operation.ts';
import { names, queueUrl } from '../../local/provision/names.ts';
import { runningEngines } from '../../local/running.ts';
import { commandLine } from '../../service/folders.ts';
import { registry } from '../../service/registry.ts';
import { newIdentifier } from '../../shared/store/write/new-item.ts';

const RESOURCES = registry.filter(isBackfillable).map(({ name }) => name);
const USAGE = `${commandLine('backfill', 'RESOURCE [--queue URL] [--owner SUBJECT]')}
  RESOURCE         ${RESOURCES.join(', ')}
  --queue URL      the queue of operations of a deployment; without it, the npm start that runs with this DATA_DIR
  --owner SUBJECT  the caller that may see and cancel the operation: the subject of a token
docs/releases.md, "Change a deployment", says when to run it.`;

/** `npm run backfill -- RESOURCE` makes the worker write missing sort keys, and older values in their new form. */
function options() {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { queue: { type: 'string' }, owner: { type: 'string' } },
    });
    const [resource = '', ...others] = positionals;
    if (RESOURCES.includes(resource) && others.length === 0) return { resource, ...values };
  } catch (error) {
    return ended((error as Error).message);
  }
  return ended('Name one resource.');
}

function ended(because: string): never {
  console.error(`${because}\n${USAGE}`);
  process.exit(2);
}

/** Returns the queue, and the client that reaches it. */
function place(url: string | undefined): { readonly sqs: SQSClient; readonly QueueUrl: string } {
  if (url !== undefined) return { sqs: new SQSClient({}), QueueUrl: url };
  const running = runningEngines(process.env);
  if (!running) return ended('No npm start runs with this DATA_DIR: start it, or name a queue.');
  const endpoint = process.env.AWS_ENDPOINT_URL_SQS || running.url;
  const sqs = new SQSClient({ endpoint, credentials: running.credentials, region: 'us-east-1' });
  return { sqs, QueueUrl: queueUrl(names.queue, endpoint) };
}

const { resource, queue, owner } = options();
const { sqs, QueueUrl } = place(queue);
const operationId = newIdentifier(Date.now());
const message: OperationMessage = { operationId, backfill: resource, owner };
await sqs.send(
  new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message), MessageGroupId: 'backfill' }),
);
console.log(
  `The worker brings ${resource} up to date: GET /operations/${operationId} shows how far it is, DELETE cancels it.`,
);
