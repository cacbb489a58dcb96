import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventBridge } from '../../../functions/events/batches.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { sqs } from '../../../shared/aws/clients/queue.ts';
import { s3, s3OfClients } from '../../../shared/aws/clients/s3.ts';

const settings = { region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
beforeAll(() => {
  configureClients(settings);
  process.env.CLIENT_ENDPOINT_URL_S3 = 'http://127.0.0.1:1';
});
afterAll(() => {
  delete process.env.CLIENT_ENDPOINT_URL_S3;
});

const middleware = (client: { middlewareStack: { identify(): string[] } }): string =>
  client.middlewareStack.identify().join('\n');

test('a client of the SDK logs by default', () => {
  expect(middleware(new SQSClient(settings))).toMatch(/logger/i);
});

test.each(Object.entries({ dynamoDb, eventBridge, sqs, s3, s3OfClients }))(
  'the client %s has no logging middleware',
  (_name, clientOf) => {
    const found = middleware(clientOf());
    expect(found).toMatch(/signing/i);
    expect(found).not.toMatch(/logger/i);
  },
);
