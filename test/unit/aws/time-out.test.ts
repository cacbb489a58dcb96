import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { Fault } from 'embedded-aws';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import { Unavailable } from '../../../shared/http/problem.ts';

// Specification 10.11
test('an engine that accepts a call and never responds is unavailable', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on('error', () => {})));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
  try {
    configureClients({ region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    const call = dynamoDb().send(new GetItemCommand({ TableName: 'members', Key: { id: { N: '1' } } }));
    await expect(orUnavailable(call)).rejects.toBeInstanceOf(Unavailable);
  } finally {
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    dynamoDb().destroy();
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});

// Specification 10.11
test.each([
  ['a full disk', { code: 'ENOSPC' }, { retryAfter: 300, detail: expect.stringContaining('disk') }],
  ['a full disk under SQLite', { errcode: 13 }, { retryAfter: 300, detail: expect.stringContaining('full') }],
  ['a disk that fails', { errcode: 778 }, { retryAfter: 1, detail: 'Please try again' }],
])('%s makes the service unavailable for as long as it takes', async (_, more, expected) => {
  const { code, status } = Fault.of(Object.assign(new Error('failed'), more), 'InternalServerError');
  expect(status).toBe(500);
  const call = Promise.reject(Object.assign(new Error(code), { name: code, $fault: 'server' }));
  await expect(orUnavailable(call)).rejects.toMatchObject(expected);
});
