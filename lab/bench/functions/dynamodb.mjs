import { createServer } from 'node:http';
import { crc32 } from 'node:zlib';

/** DynamoDB over HTTP: each call returns the same member. It checks no signature. */
const body = JSON.stringify({
  Item: {
    id: { N: '7' },
    _version: { N: '1' },
    _created: { N: '1780000000000' },
    _updated: { N: '1780000000000' },
    username: { S: 'ada' },
    name: { S: 'Ada Byron' },
    email: { S: 'ada@example.com' },
    age: { N: '36' },
  },
  ConsumedCapacity: { TableName: 'members', CapacityUnits: 0.5 },
});
const headers = {
  'Content-Type': 'application/x-amz-json-1.0',
  'Content-Length': Buffer.byteLength(body),
  'x-amz-crc32': String(crc32(body)),
  'x-amzn-RequestId': 'c6af9ac6-7b61-11e6-9a41-93e8deadbeef',
};
const server = createServer((request, response) => {
  request.resume().once('end', () => response.writeHead(200, headers).end(body));
});
server.listen(process.env.PORT, '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
