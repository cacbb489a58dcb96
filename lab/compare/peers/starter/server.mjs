/** Serves the function behind a gateway with payload format 2.0, on the embedded DynamoDB: server.mjs ROOT DATA PORT */
import { createServer } from 'node:http';
import { join } from 'node:path';

const [root, directory, port] = process.argv.slice(2);
const load = (path) => import(join(root, path));
const { openEngines } = await load('engines/engines.ts');
const { listen } = await load('engines/listener.ts');

const credentials = { accessKeyId: 'AKIALOCAL00000000000', secretAccessKey: 'local' };
const { url } = await listen(openEngines({ directory, credentials }), { host: '127.0.0.1', port: 0 });
Object.assign(process.env, {
  AWS_ENDPOINT_URL: url,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
});
const { CreateTableCommand, DynamoDBClient } = await import('@aws-sdk/client-dynamodb');
for (const TableName of ['members', 'customers', 'orders', 'products', 'idempotency'])
  await new DynamoDBClient({})
    .send(
      new CreateTableCommand({
        TableName,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      }),
    )
    .catch((error) => {
      if (error.name !== 'ResourceInUseException') throw error;
    });
const { handler } = await import('./app.mjs');

createServer(async (request, response) => {
  const chunks = [];
  try {
    for await (const chunk of request) chunks.push(chunk);
  } catch {
    return;
  }
  const { pathname, search, searchParams } = new URL(request.url, 'http://127.0.0.1');
  const event = {
    version: '2.0',
    routeKey: '$default',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    headers: request.headers,
    queryStringParameters: Object.fromEntries(searchParams),
    requestContext: { http: { method: request.method, path: pathname }, domainName: request.headers.host },
    body: Buffer.concat(chunks).toString('base64'),
    isBase64Encoded: true,
  };
  try {
    const answer = await handler(event, { getRemainingTimeInMillis: () => 30_000 });
    const body = Buffer.from(answer.body ?? '', answer.isBase64Encoded ? 'base64' : 'utf8');
    response.writeHead(answer.statusCode, answer.headers).end(request.method === 'HEAD' ? undefined : body);
  } catch {
    response.writeHead(502).end();
  }
}).listen(Number(port), '127.0.0.1');
