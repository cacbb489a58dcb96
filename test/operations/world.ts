import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSRecord } from 'aws-lambda';
import { handler as worker } from '../../functions/worker/handler.ts';
import { names, queueUrl } from '../../local/provision/names.ts';
import { answerBrowser } from '../../pages/browser/answer-browser.ts';
import { registry } from '../../service/registry.ts';
import { currentSettings } from '../../shared/aws/clients/client.ts';
import { answer } from '../../shared/flow/answer.ts';
import type { Request } from '../../shared/http/request.ts';
import type { Response } from '../../shared/http/response.ts';
import { attributesOf } from '../../shared/operations/record/record.ts';
import { scopesOf } from '../../shared/resource/access/scopes.ts';
import type { Attributes } from '../../shared/store/form/attribute-value.ts';
import { resourceOf } from '../engines/attached.ts';
import { testTime } from '../support/clock.ts';

/** Every named caller has every scope. */
const SCOPES = registry.flatMap(scopesOf);

/** The content of a request other than method and path. */
export interface Asking {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly subject?: string;
  readonly query?: ReadonlyMap<string, readonly string[]>;
}

/** The service without gateway and background work: the tests start each step. */
export async function ask(method: string, path: string, asking: Asking = {}): Promise<Response> {
  const { json, headers = {}, subject, query = new Map() } = asking;
  const [resource = '', id, ...others] = path.split('/').slice(1);
  const content = json === undefined ? undefined : Buffer.from(JSON.stringify(json));
  const request: Request = {
    method,
    template: `/${[resource, ...(id === undefined ? [] : ['{id}']), ...others].join('/')}`,
    path,
    parameters: id === undefined ? {} : { id },
    query,
    headers: { ...(content ? { 'content-type': 'application/json' } : {}), ...headers },
    content: () => content,
    basePath: '',
    requestId: 'asked',
    receivedAt: testTime(),
    ...(subject === undefined ? {} : { principal: { subject, scopes: SCOPES } }),
  };
  return (request.headers.accept === 'text/html' ? answerBrowser : answer)(resourceOf(resource), request);
}

/** The body of a response. */
export const bodyOf = ({ body }: Response): Record<string, unknown> => JSON.parse(String(body));

const LATER = { prefer: 'respond-async' };

/** Sends a deferred request and returns the id of the operation. */
export async function later(method: string, path: string, asking: Asking = {}): Promise<number> {
  const { status, headers } = await ask(method, path, {
    ...asking,
    headers: { ...LATER, ...asking.headers },
  });
  if (status !== 202) throw new Error(`${method} ${path} was answered ${status}`);
  return Number(headers.Location?.split('/').at(-1));
}

/** The operation as its status resource shows it. */
export const shown = async (id: number): Promise<Record<string, unknown>> =>
  bodyOf(await ask('GET', `/operations/${id}`));

/** The record of an operation. */
export const recordOf = async (id: number): Promise<Attributes> => (await attributesOf(id)) ?? {};

const sqs = () => new SQSClient(currentSettings() ?? {});
const QueueUrl = queueUrl(names.queue);

/** Takes a message from the queue and deletes it. Returns undefined if the queue is empty. `wait`: s. */
export async function takenMessage(wait = 0): Promise<string | undefined> {
  const { Messages: [message] = [] } = await sqs().send(
    new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'], WaitTimeSeconds: wait }),
  );
  if (!message) return undefined;
  await sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
  return message.Body;
}

/** Takes the message of an operation. Returns undefined if the queue is empty. */
export async function taken(): Promise<SQSRecord | undefined> {
  const message = await takenMessage();
  return message === undefined ? undefined : recordOfMessage(JSON.parse(message).operationId);
}

/** A message about an operation in the form that a function receives. */
export const recordOfMessage = (operationId: number): SQSRecord =>
  ({
    messageId: String(operationId),
    receiptHandle: 'none',
    body: JSON.stringify({ operationId }),
    attributes: { ApproximateReceiveCount: '1' },
  }) as SQSRecord;

/** Invokes the worker for an operation. Returns true if it did not fail. `left`: ms until the run's end. */
export async function work(operationId: number, left = 300_000): Promise<boolean> {
  const context = { getRemainingTimeInMillis: () => left } as Context;
  const { batchItemFailures } = await worker({ Records: [recordOfMessage(operationId)] }, context);
  return batchItemFailures.length === 0;
}

/** Works until the queue is empty. Returns the number of messages. */
export async function workAll(left?: number): Promise<number> {
  for (let messages = 0; ; messages += 1) {
    const message = await taken();
    if (!message) return messages;
    await work(JSON.parse(message.body).operationId, left);
  }
}

/** All members with this name. */
export async function membersCalled(name: string): Promise<number> {
  const { items } = bodyOf(await ask('GET', '/members')) as { items: { name?: string }[] };
  return items.filter((one) => one.name === name).length;
}
