import type { DynamoDb } from './dynamodb/context.ts';
import { removeExpired } from './dynamodb/expired.ts';
import { RequestTokens } from './dynamodb/request-tokens.ts';
import { dynamoDbService } from './dynamodb/service.ts';
import { Changes } from './dynamodb/streams/changes.ts';
import { dynamoDbStreamsService } from './dynamodb/streams/service.ts';
import { Tables } from './dynamodb/tables/tables.ts';
import { answerEventStream, EVENT_STREAM_PATH } from './eventbridge/event-stream.ts';
import { Feed } from './eventbridge/feed.ts';
import { eventBridgeService } from './eventbridge/service.ts';
import { Fault } from './fault.ts';
import { answerJson, type JsonService, JsonText, runOperation } from './json-protocol.ts';
import { Positions } from './positions.ts';
import { ObjectFiles } from './s3/files.ts';
import { knownFiles } from './s3/s3.ts';
import { answerS3 } from './s3/service.ts';
import type { Slow } from './s3/slow.ts';
import { abortAbandoned } from './s3/uploads.ts';
import { type Credentials, isPresigned, verifyHeader, verifySignature } from './signature.ts';
import { Arrivals } from './sqs/arrivals.ts';
import { sqsService } from './sqs/service.ts';
import { Storage } from './storage.ts';
import type { EngineRequest, EngineResponse } from './wire.ts';

/** DynamoDB, S3, SQS and EventBridge in this process. One folder holds their data. */
export interface Engines {
  /** Handles a request. Failures are responses, never exceptions. */
  dispatch(request: EngineRequest): Promise<EngineResponse>;
  /**
   * Runs an operation on a document of its protocol, without a message and a signature. The engine keeps no part of the
   * document. The caller must not change the result.
   * @throws Fault
   */
  run(service: TypedService, operation: string, document: object): Promise<object>;
  /** For readers of changes in this process. They get a signal and need no polling. */
  readonly dynamoDb: DynamoDb;
  readonly positions: Positions;
  /** Ends long polls and closes the folder. */
  close(): Promise<void>;
}

/** The services that clients in this process can call without messages. */
export type TypedService = 'dynamodb' | 'sqs' | 'events';

interface Opening {
  readonly directory: string;
  readonly credentials: Credentials;
  /** The clock of the engines, in ms since the epoch. Signatures follow the machine's clock, as their callers do. */
  readonly now?: () => number;
  /** The operations of S3 that respond late. A test may change the object later. */
  readonly slow?: Slow;
}

/** Opens the folder of object bytes. After a failure, another attempt can open the database. */
function openFiles(directory: string, storage: Storage): ObjectFiles {
  try {
    return new ObjectFiles(directory, knownFiles(storage));
  } catch (error) {
    storage.close();
    throw error;
  }
}

/**
 * Opens the engines on a folder, which it creates if necessary. It removes leftovers of a crash and makes in-flight
 * messages visible.
 * @throws Error with the name of the folder or a file, if it is not usable
 */
export function openEngines({ directory, credentials, now, slow }: Opening): Engines {
  const storage = new Storage(directory, now);
  const dynamoDb = {
    storage,
    tables: new Tables(storage),
    changes: new Changes(storage),
    tokens: new RequestTokens(),
  };
  const feed = new Feed(storage);
  const arrivals = new Arrivals();
  const s3 = { storage, arrivals, files: openFiles(directory, storage) };
  abortAbandoned(s3, storage.now());
  removeExpired(dynamoDb, storage.now());
  const release = 'UPDATE msg SET visible_at = ?1 WHERE receipt IS NOT NULL AND visible_at > ?1';
  storage.run(release, storage.now());
  const run: Readonly<Record<TypedService, (operation: string, document: object) => Promise<object>>> = {
    dynamodb: runner(dynamoDbService, dynamoDb),
    sqs: runner(sqsService, { storage, arrivals, origin: 'https://sqs.us-east-1.amazonaws.com' }),
    events: runner(eventBridgeService, feed),
  };
  return {
    dynamoDb,
    positions: new Positions(storage),
    run: (service, operation, document) => run[service](operation, document),
    dispatch(request) {
      const authorize = (body: Uint8Array) => verifyHeader(request, body, credentials, Date.now());
      const target = request.headers['x-amz-target'] ?? '';
      if (target.startsWith('DynamoDB_20120810.')) {
        return answerJson(dynamoDbService, dynamoDb, request, authorize);
      }
      if (target.startsWith('DynamoDBStreams_20120810.')) {
        return answerJson(dynamoDbStreamsService, dynamoDb, request, authorize);
      }
      if (target.startsWith('AWSEvents.')) {
        return answerJson(eventBridgeService, feed, request, authorize);
      }
      if (target.startsWith('AmazonSQS.')) {
        // The SDK sends later requests to the queue URL, so the URL has the host of this request.
        const { host = 'localhost' } = request.headers;
        const origin = `${host.endsWith('.amazonaws.com') ? 'https' : 'http'}://${host}`;
        const sqs = { storage, arrivals, origin };
        return answerJson(sqsService, sqs, request, authorize);
      }
      if (request.path === EVENT_STREAM_PATH) {
        return Promise.resolve(answerEventStream(feed, request, () => authorize(Buffer.alloc(0))));
      }
      const at = isPresigned(request) ? storage.now() : Date.now();
      return answerS3(s3, request, () => verifySignature(request, credentials, at), slow);
    },
    async close() {
      arrivals.close();
      dynamoDb.changes.close();
      feed.signal.close();
      // Polls that just woke up check the closed flag before the database closes.
      await new Promise((resolve) => setImmediate(resolve));
      storage.close();
    },
  };
}

/** Returns the function that runs the operations of a service in this context. */
const runner =
  <Context>(service: JsonService<Context>, context: Context) =>
  async (operation: string, document: object): Promise<object> => {
    try {
      return JsonText.parsed(await runOperation(service, context, operation, document));
    } catch (error) {
      throw Fault.of(error, 'InternalServerError');
    }
  };
