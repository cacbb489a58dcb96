import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { expect } from '@jest/globals';
import type { Context, SQSRecord } from 'aws-lambda';
import { type Engines, inProcess, newCredentials, openEngines } from 'embedded-aws';
import { handler as deadLetters } from '../../functions/dead-letters/handler.ts';
import { handler as sweep } from '../../functions/sweeper/handler.ts';
import { overdueOperations } from '../../functions/sweeper/overdue.ts';
import { handler as work } from '../../functions/worker/handler.ts';
import { routesOf } from '../../infra/gateway/routing.ts';
import { gateway } from '../../local/gateway/gateway.ts';
import { names, queueUrl } from '../../local/provision/names.ts';
import { provision, variables } from '../../local/provision/provision.ts';
import { registry } from '../../service/registry.ts';
import { configureClients } from '../../shared/aws/clients/client.ts';
import { configureClock } from '../../shared/aws/clock.ts';
import { serve } from '../../shared/lambda/serve.ts';
import { type Answer, type Client, clientOf, type SentRequest } from '../support/client/client.ts';
import { testTime, timePasses } from '../support/clock.ts';

const credentials = newCredentials();
/** Longer than any wait in the service: leases, hidden messages, marks (ms). */
const LONG = 100_000;

/** The transport between the functions and the engines. */
export interface FaultyTransport {
  /** The path from the service's clients to the engines. */
  readonly settings: object;
  /** Passes all further calls on. Settles when all delayed calls have arrived. */
  clear(): Promise<unknown>;
  close(): Promise<void>;
}

/** The service in this process: its functions behind the gateway, and a faulty transport behind its functions. */
export interface Harness {
  readonly client: Client;
  /** A client of SQS without faults. */
  readonly sqs: SQSClient;
  /** Sends a request that must succeed in one of these ways or get 503. Returns undefined for 503. */
  ask(method: string, path: string, sent: SentRequest, ...successes: number[]): Promise<Answer | undefined>;
  /** Delivers the available messages to the worker. `time`: ms before it leaves the rest to another run. */
  work(time?: number): Promise<void>;
  sweep(): Promise<void>;
  /** Delivers the available messages to the consumer of the dead-letter queue. */
  giveUp(): Promise<void>;
  /** Removes all faults and advances the clock until each operation has ended. */
  settle(): Promise<void>;
  /** Advances the clock. */
  pass(ms?: number): void;
  close(): Promise<void>;
}

/** Starts the service on its own engines. `lineTo`: creates the transport. */
export async function startHarness(
  lineTo: (engines: Engines) => Promise<FaultyTransport> | FaultyTransport,
): Promise<Harness> {
  const directory = mkdtempSync(join(tmpdir(), 'resource-api-faults-'));
  const engines = openEngines({ directory, credentials, now: testTime });
  const whole = inProcess(engines);
  const clean = { requestHandler: whole, credentials, region: 'us-east-1' };
  // Each request reads the inventories that it needs, so faults hit these calls too.
  process.env.INVENTORY_SECONDS = '0';
  Object.assign(process.env, variables(registry));
  const line = await lineTo(engines);
  const sqs = new SQSClient(clean);
  configureClients(clean);
  await provision(registry, sqs);
  configureClients({ ...clean, ...line.settings });
  configureClock(testTime);

  const server = gateway({
    routes: routesOf(registry),
    handlers: new Map(registry.map((one) => [one.name, serve(one)])),
    stage: { name: 'local', inPath: false },
    now: testTime,
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const client = clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);

  /** Delivers messages to a function and deletes them on success. The delivery of AWS itself never fails here. */
  async function deliver(queue: string, invoke: (record: SQSRecord) => Promise<boolean>): Promise<void> {
    const QueueUrl = queueUrl(queue);
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames: ['All'] }),
    );
    for (const { MessageId = '', ReceiptHandle = '', Body = '', Attributes = {} } of Messages) {
      const record = {
        messageId: MessageId,
        receiptHandle: ReceiptHandle,
        body: Body,
        attributes: Attributes,
      };
      if (await invoke(record as unknown as SQSRecord))
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      else
        await sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 1 }));
    }
  }

  const one: Harness = {
    client,
    sqs,
    ask: async (method, path, sent, ...successes) => {
      const answer = await client(method, path, sent);
      if (answer.status === 503) {
        expect(answer.headers['retry-after']).toBeDefined();
        return undefined;
      }
      if (!successes.includes(answer.status))
        throw new Error(`${answer.status} to ${method} ${path}: ${answer.text.slice(0, 500)}`);
      return answer;
    },
    work: (time = LONG) =>
      deliver(names.queue, async (record) => {
        const context = { getRemainingTimeInMillis: () => time + 30_000 } as Context;
        const { batchItemFailures } = await work({ Records: [record] }, context);
        return batchItemFailures.length === 0;
      }),
    sweep: () => sweep().catch(() => undefined),
    giveUp: () =>
      deliver(names.deadLetterQueue, async (record) => {
        const { batchItemFailures } = await deadLetters({ Records: [record] });
        return batchItemFailures.length === 0;
      }),
    settle: async () => {
      await line.clear();
      for (let times = 0; times < 30; times += 1) {
        await one.work();
        await one.giveUp();
        if ((await overdueOperations(Number.MAX_SAFE_INTEGER)).length === 0) return;
        one.pass();
        await one.sweep();
      }
      throw new Error(
        `These did not end: ${JSON.stringify(await overdueOperations(Number.MAX_SAFE_INTEGER))}`,
      );
    },
    pass: (ms = LONG) => timePasses(ms),
    close: async () => {
      await new Promise((closed) => server.close(closed));
      await line.close();
      await engines.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  return one;
}
