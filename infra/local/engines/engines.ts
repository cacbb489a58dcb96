import type { Readable } from 'node:stream';
import type { Body } from './body.ts';
import type { DynamoDb } from './dynamodb/dynamodb.ts';
import { deleteExpired } from './dynamodb/expiry.ts';
import { dynamoDbService } from './dynamodb/service.ts';
import { Tables } from './dynamodb/tables.ts';
import { Fault } from './fault.ts';
import { answerJson } from './json-protocol.ts';
import { ObjectFiles, type Segment } from './s3/files.ts';
import type { S3 } from './s3/s3.ts';
import { answerS3 } from './s3/service.ts';
import { type Credentials, claimedKey, verifySignature } from './signature.ts';
import { Arrivals } from './sqs/arrivals.ts';
import { sqsService } from './sqs/service.ts';
import { openStorage, type Storage } from './storage.ts';

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

const EXPIRY_INTERVAL = 60_000;

/**
 * Opens the engines on a folder, which is created if need be. Leftovers of a crash are swept, and messages
 * that were in flight become visible.
 *
 * @throws Error naming the folder, when another process has it open
 */
export function openEngines(options: {
  directory: string;
  credentials: Credentials;
  /** Milliseconds since 1970. */
  clock?: () => number;
}): Engines {
  const { directory, credentials, clock = Date.now } = options;
  const storage = openStorage(directory);
  const dynamoDb: DynamoDb = { storage, clock, tables: new Tables(storage) };
  const s3: S3 = { storage, clock, files: openFiles(storage) };
  const arrivals = new Arrivals();
  storage.run('UPDATE msg SET visible_at = ? WHERE receipt IS NOT NULL AND visible_at > ?', clock(), clock());
  const expiry = setInterval(() => deleteExpired(dynamoDb), EXPIRY_INTERVAL).unref();
  return {
    dispatch(request) {
      const target = request.headers['x-amz-target'] ?? '';
      if (target.startsWith('DynamoDB_20120810.')) {
        return answerJson(dynamoDbService, dynamoDb, request, () =>
          requireKey(request, credentials, 'UnrecognizedClientException'),
        );
      }
      if (target.startsWith('AmazonSQS.')) {
        const sqs = { storage, clock, arrivals, origin: originOf(request) };
        return answerJson(sqsService, sqs, request, () =>
          requireKey(request, credentials, 'InvalidClientTokenId'),
        );
      }
      return answerS3(s3, request, () => verifySignature(request, credentials, clock()));
    },
    async close() {
      clearInterval(expiry);
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

function openFiles(storage: Storage): ObjectFiles {
  const known = new Set(
    storage
      .all<{ segments: string }>('SELECT segments FROM object')
      .flatMap(({ segments }) => (JSON.parse(segments) as Segment[]).map(({ file }) => file)),
  );
  return new ObjectFiles(storage.directory, (file) => known.has(file));
}

/** The JSON services check that a request is signed with the known key, not the signature itself. */
function requireKey(request: EngineRequest, { accessKeyId }: Credentials, code: string): void {
  const claimed = claimedKey(request);
  if (claimed === undefined) {
    throw new Fault('MissingAuthenticationTokenException', 'Request is missing Authentication Token', 403);
  }
  if (claimed !== accessKeyId)
    throw new Fault(code, 'The security token included in the request is invalid.', 403);
}
