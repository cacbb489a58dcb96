import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { health } from '../../../functions/root/health.ts';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { Unavailable } from '../../../shared/http/problem.ts';
import { ANYONE } from '../../../shared/resource/access/owner.ts';
import type { DocumentCall } from '../../../shared/resource/actions/action.ts';

let reads = 0;
let responds = true;
let now = 0;

/** A DynamoDB without items, which can refuse to respond. */
const server = createServer((_, response) => {
  reads += 1;
  response.writeHead(responds ? 200 : 503, { 'Content-Type': 'application/x-amz-json-1.0' }).end('{}');
});

const ask = (query: DocumentCall['query']) =>
  health({ caller: ANYONE, query, now, parameters: {}, isPage: false });

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  process.env.TABLES = 'operations=operations';
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  configureClients({ region: 'us-east-1', credentials });
});

afterAll(() => {
  delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  delete process.env.TABLES;
  dynamoDb().destroy();
  server.closeAllConnections();
  server.close();
});

beforeEach(() => {
  [reads, responds] = [0, true];
  now += 60_000;
});

test('a plain check never reads', async () => {
  responds = false;
  expect(await ask({})).toMatchObject({ kind: 'found' });
  expect(reads).toBe(0);
});

test('a deep check reads once in five seconds, however many requests ask', async () => {
  await Promise.all(Array.from({ length: 50 }, () => ask({ deep: ['true'] })));
  now += 4999;
  await ask({ deep: [''] });
  expect(reads).toBe(1);
  now += 1;
  await ask({ deep: [''] });
  expect(reads).toBe(2);
});

// Specification 10.11
test('a deep check fails while DynamoDB does not respond, and at most five seconds longer', async () => {
  responds = false;
  await expect(ask({ deep: [''] })).rejects.toBeInstanceOf(Unavailable);
  const attempts = reads;
  await expect(ask({ deep: [''] })).rejects.toBeInstanceOf(Unavailable);
  expect(reads).toBe(attempts);
  responds = true;
  now += 5000;
  expect(await ask({ deep: [''] })).toMatchObject({ kind: 'found' });
});
