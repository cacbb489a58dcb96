/** Runs functions in this process, on embedded engines that count each call. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { type Engines, inProcess, newCredentials, openEngines } from 'embedded-aws';
import { handler as findSubscriptions } from '../../../functions/fanout/handler.ts';
import { handler as settle } from '../../../functions/uploads/handler.ts';
import { handler as deliver } from '../../../functions/webhooks/handler.ts';
import { handler as work } from '../../../functions/worker/handler.ts';
import { names, queueUrl } from '../../../local/provision/names.ts';
import { provision, variables } from '../../../local/provision/provision.ts';
import { invoke, type QueueHandler } from '../../../local/triggers/pump.ts';
import { registry } from '../../../service/registry.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { s3 } from '../../../shared/aws/clients/s3.ts';
import { DEFAULT_SHARDS } from '../../../shared/aws/config.ts';
import { type SentRequest as Event, eventOf } from '../../events.ts';
import { type Handler, handlerOf } from '../../handler.ts';
import { meterUnits } from '../../units.ts';

/** The counted calls and their cost. */
export interface Seen {
  calls: string[];
  /** Requests to SQS, including those that Lambda sends to receive and delete messages. */
  queue: number;
  read: number;
  write: number;
}

const nothing = (): Seen => ({ calls: [], queue: 0, read: 0, write: 0 });
let seen = nothing();
let sqs: SQSClient;

/** Counts the calls of DynamoDB with their consumed capacity, and the calls of S3. */
function meter(): void {
  meterUnits(
    (command) => seen.calls.push(command),
    (kind, units) => (seen[kind] += units),
  );
  s3().middlewareStack.add(
    (next, context) => async (args) => {
      seen.calls.push(`S3 ${String(context.commandName).replace('Command', '')}`);
      return next(args);
    },
    // A presigned request does not reach this step.
    { step: 'deserialize' },
  );
}

const handlers = new Map<string, Handler>();

/** A request to the function of a resource. */
export interface MeteredRequest extends Event {
  readonly resource: string;
}

/** Invokes a function. Returns its response and its cost. */
export async function send({ resource, ...sent }: MeteredRequest) {
  const event = eventOf(sent);
  seen = nothing();
  const answer = await (handlers.get(resource) as Handler)(event);
  return { ...answer, seen };
}

/** Runs some work and returns its counted calls. */
export async function seenWhile(work: () => Promise<unknown>): Promise<Seen> {
  seen = nothing();
  await work();
  return seen;
}

/** Runs the worker for all messages. Returns the cost. */
export const runWorker = (): Promise<Seen> => drained(names.queue, work);

/** Runs the uploads function for all notifications of S3. Returns the cost without the notifications themselves. */
export const settleUploads = (): Promise<Seen> => drained(names.uploadsQueue, settle);

/** Runs the fan-out for all changes. */
export const runFanOut = (): Promise<Seen> => drained(names.fanOutQueue, findSubscriptions);

/** Runs the webhooks function for all deliveries to receivers that are not proven. */
export const runWebhooks = (): Promise<Seen> => drained(names.webhooksQueue, deliver);

async function drained(name: string, handler: QueueHandler): Promise<Seen> {
  const QueueUrl = queueUrl(name);
  seen = nothing();
  for (;;) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] }),
    );
    if (Messages.length > 0) await invoke(sqs, { queueUrl: QueueUrl, handler, timeout: 900_000 }, Messages);
    else {
      // Lambda also polls an empty queue, so the last receive does not count.
      seen.queue -= 1;
      return seen;
    }
  }
}

/** Runs a measurement on new engines in a temporary folder. */
export async function measureCalls<Result>(measure: (engines: Engines) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-bench-'));
  const credentials = newCredentials();
  const engines = openEngines({ directory, credentials });
  try {
    const whole = inProcess(engines);
    const handle: typeof whole.handle = (request, options) => {
      if (request.headers['x-amz-target']?.startsWith('AmazonSQS.')) seen.queue += 1;
      return whole.handle(request, options);
    };
    const settings = { requestHandler: { ...whole, handle }, credentials, region: 'us-east-1' };
    configureClients(settings);
    // As in a deployment, whose functions seldom read the inventories of the tables.
    Object.assign(process.env, { SHARDS: String(DEFAULT_SHARDS), INVENTORY_SECONDS: '3600' });
    Object.assign(process.env, variables(registry));
    sqs = new SQSClient(settings);
    // The SDK keeps the steps of a command after its first call.
    meter();
    await provision(registry, sqs);
    for (const one of registry) handlers.set(one.name, handlerOf(one));
    return await measure(engines);
  } finally {
    await engines.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
