import { createServer } from 'node:http';
import { crc32 } from 'node:zlib';
import { attributes } from '../variants/member.mjs';

/** DynamoDB over HTTP: GetItem returns the same member each time. It checks no signature. */
const body = JSON.stringify({
  Item: attributes(7),
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
