import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { testTime } from '../../test/support/clock.ts';
import { type Engines, openEngines } from '../engines.ts';
import { inProcess } from '../in-process.ts';
import { type Credentials, newCredentials } from '../signature.ts';
import { typedCalls } from '../typed-calls.ts';

/** The services that run as real engines, by their endpoints. */
export const REAL = {
  dynamodb: process.env.AWS_ENDPOINT_URL_DYNAMODB !== undefined,
  s3: process.env.AWS_ENDPOINT_URL_S3 !== undefined,
  sqs: process.env.AWS_ENDPOINT_URL_SQS !== undefined,
};

const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = process.env;

/** The key pair of the engines in tests: the environment's, if it has real engines. */
export const CREDENTIALS: Credentials =
  REAL.dynamodb || REAL.s3 || REAL.sqs ? { accessKeyId, secretAccessKey } : newCredentials();

/** Clients of the services. */
export interface Clients {
  dynamodb: DynamoDBClient;
  streams: DynamoDBStreamsClient;
  events: EventBridgeClient;
  s3: S3Client;
  sqs: SQSClient;
  close(): Promise<void>;
}

// The service sends bodies whole, with their length.
const CHECKSUMS = {
  requestChecksumCalculation: 'WHEN_REQUIRED',
  responseChecksumValidation: 'WHEN_REQUIRED',
} as const;

/** A unique name. */
export function unique(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** Opens the engines for the contract: embedded ones in a new folder, or real ones by environment. */
export function openClients(): Clients {
  const directory = mkdtempSync(join(tmpdir(), 'engines-'));
  const engines = openEngines({ directory, credentials: CREDENTIALS, now: testTime });
  const clients = embeddedClients(engines);
  if (REAL.dynamodb) {
    clients.dynamodb = new DynamoDBClient();
    clients.streams = new DynamoDBStreamsClient({
      endpoint: process.env.AWS_ENDPOINT_URL_DYNAMODB as string,
    });
  }
  if (REAL.s3) clients.s3 = new S3Client({ forcePathStyle: true, ...CHECKSUMS });
  if (REAL.sqs) clients.sqs = new SQSClient();
  return {
    ...clients,
    async close() {
      for (const client of Object.values(clients)) client.destroy();
      await engines.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Clients attached to engines in this process: without messages, or with them if `ENGINE_WIRE` is 1. */
export function embeddedClients(engines: Engines): Omit<Clients, 'close'> {
  const clients = wiredClients(engines);
  const plugin = typedCalls(engines, process.env.ENGINE_WIRE === '1' ? [] : ['dynamodb', 'sqs', 'events']);
  for (const client of [clients.dynamodb, clients.events, clients.sqs])
    plugin.applyToStack(client.middlewareStack);
  return clients;
}

/** Clients whose messages reach engines in this process. */
export function wiredClients(engines: Engines): Omit<Clients, 'close'> {
  const config = { region: 'us-east-1', credentials: CREDENTIALS, requestHandler: inProcess(engines) };
  return {
    dynamodb: new DynamoDBClient(config),
    streams: new DynamoDBStreamsClient(config),
    events: new EventBridgeClient(config),
    s3: new S3Client({ ...config, ...CHECKSUMS }),
    sqs: new SQSClient(config),
  };
}
