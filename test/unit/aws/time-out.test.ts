import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from '@jest/globals';
import { configureClients } from '../../../shared/aws/clients/client.ts';
import { dynamoDb } from '../../../shared/aws/clients/dynamodb.ts';
import { orUnavailable } from '../../../shared/aws/faults.ts';
import { Unavailable } from '../../../shared/http/unavailable.ts';

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
