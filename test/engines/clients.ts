import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type Engines, openEngines } from '../../infra/local/engines/engines.ts';
import { inProcess } from '../../infra/local/engines/in-process.ts';

/** The key pair of the embedded engines in tests. */
export const CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local-secret' };

/** Whether the contract runs on real engines, reached by their endpoints. */
export const REAL = process.env.AWS_ENDPOINT_URL_DYNAMODB !== undefined;

/** Clients of the three services, and the engines behind them unless those are real. */
export interface Clients {
  dynamodb: DynamoDBClient;
  s3: S3Client;
  sqs: SQSClient;
  engines?: Engines;
  close(): Promise<void>;
}

/** A name nobody else uses. */
export function unique(prefix: string): string {
  return `${prefix}-${crypto.randomUUID()}`;
}

/** Opens the engines the contract runs on: embedded ones in a new folder, or real ones by environment. */
export function openClients(): Clients {
  if (REAL) {
    const dynamodb = new DynamoDBClient();
    const s3 = new S3Client({ forcePathStyle: true });
    const sqs = new SQSClient();
    return {
      dynamodb,
      s3,
      sqs,
      async close() {
        for (const client of [dynamodb, s3, sqs]) client.destroy();
      },
    };
  }
  const directory = mkdtempSync(join(tmpdir(), 'engines-'));
  const engines = openEngines({ directory, credentials: CREDENTIALS });
  return {
    ...embeddedClients(engines),
    engines,
    async close() {
      await engines.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Clients attached to engines in this process. */
export function embeddedClients(engines: Engines): Pick<Clients, 'dynamodb' | 's3' | 'sqs'> {
  const config = { region: 'us-east-1', credentials: CREDENTIALS, requestHandler: inProcess(engines) };
  return {
    dynamodb: new DynamoDBClient(config),
    s3: new S3Client({ ...config, endpoint: 'http://127.0.0.1:1', forcePathStyle: true }),
    sqs: new SQSClient(config),
  };
}
