import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { config } from './config.ts';

/**
 * One client per service and process. A call waits 1 s for a connection and 3 s for an answer, and is tried three
 * times: API Gateway gives the whole request 29 s.
 *
 * Source: AWS SDK for JavaScript v3 Developer Guide, "Configuring timeouts".
 */
type Settings = Pick<DynamoDBClientConfig, 'requestHandler' | 'credentials' | 'region'>;

const DEFAULTS: Settings = { requestHandler: { connectionTimeout: 1000, requestTimeout: 3000 } };

let settings = DEFAULTS;
let dynamoDbClient: DynamoDBClient | undefined;
let s3Client: Promise<S3Client> | undefined;

/** Gives all clients another transport, credentials or region. Before the first call. */
export function attach(transport: Settings): void {
  settings = { ...DEFAULTS, ...transport };
  dynamoDbClient = undefined;
  s3Client = undefined;
}

export function dynamoDb(): DynamoDBClient {
  dynamoDbClient ??= new DynamoDBClient({ ...settings, maxAttempts: 3 });
  return dynamoDbClient;
}

/** Loaded on first use: a function that touches no object does not pay for this client. */
export function s3(): Promise<S3Client> {
  s3Client ??= import('@aws-sdk/client-s3').then(
    ({ S3Client: Client }) =>
      new Client({
        ...(settings as S3ClientConfig),
        maxAttempts: 3,
        forcePathStyle: config.s3PathStyle(),
        // A presigned PUT would carry the checksum of an empty body.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
  );
  return s3Client;
}
