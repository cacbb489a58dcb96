import type { Readable } from 'node:stream';
import type { Body } from './body.ts';
import { dynamoDbService } from './dynamodb/service.ts';
import { Tables } from './dynamodb/tables.ts';
import { answerJson } from './json-protocol.ts';
import { ObjectFiles } from './s3/files.ts';
import type { S3 } from './s3/s3.ts';
import { answerS3 } from './s3/service.ts';
import { type Credentials, requireKey, verifySignature } from './signature.ts';
import { Arrivals } from './sqs/arrivals.ts';
import { sqsService } from './sqs/service.ts';
import { openStorage } from './storage.ts';

/** An HTTP request as it would arrive at AWS. */
export interface EngineRequest {
  method: string;
  /** Raw, percent-encoded. */
  path: string;
  /** Raw, without `?`. */
  query: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: Body;
}

/** The HTTP response to it. */
export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body?: Uint8Array | Readable;
}

/** DynamoDB, S3 and SQS in this process, kept in one folder. */
export interface Engines {
  /** Answers a request; failures are responses, never exceptions. */
  dispatch(request: EngineRequest): Promise<EngineResponse>;
  /** Ends long polls and releases the folder. */
  close(): Promise<void>;
}

/**
 * Opens the engines on a folder, which is created if need be. Leftovers of a crash are swept, and messages
 * that were in flight become visible. `clock` answers milliseconds since 1970.
 *
 * @throws Error naming the folder, when another process has it open
 */
export function openEngines(options: {
  directory: string;
  credentials: Credentials;
  clock?: () => number;
}): Engines {
  const { directory, credentials, clock = Date.now } = options;
  const storage = openStorage(directory);
  const dynamoDb = { storage, clock, tables: new Tables(storage) };
  const known = storage.all<{ file: string }>('SELECT file FROM object').map(({ file }) => file);
  const s3: S3 = { storage, clock, files: new ObjectFiles(directory, new Set(known)) };
  const arrivals = new Arrivals();
  storage.run('UPDATE msg SET visible_at = ? WHERE receipt IS NOT NULL AND visible_at > ?', clock(), clock());
  return {
    dispatch(request) {
      const target = request.headers['x-amz-target'] ?? '';
      if (target.startsWith('DynamoDB_20120810.')) {
        return answerJson(dynamoDbService, dynamoDb, request, () => requireKey(request, credentials));
      }
      if (target.startsWith('AmazonSQS.')) {
        const sqs = { storage, clock, arrivals, origin: originOf(request) };
        return answerJson(sqsService, sqs, request, () => requireKey(request, credentials));
      }
      return answerS3(s3, request, () => verifySignature(request, credentials, clock()));
    },
    async close() {
      arrivals.close();
      // Polls that were just woken look at the closed flag before the database goes away.
      await new Promise((resolve) => setImmediate(resolve));
      storage.close();
    },
  };
}

/** Where this client reaches SQS; it sends later requests to the queue URL, so that must be the same place. */
function originOf({ headers: { host = 'localhost' } }: EngineRequest): string {
  return `${host.endsWith('.amazonaws.com') ? 'https' : 'http'}://${host}`;
}
