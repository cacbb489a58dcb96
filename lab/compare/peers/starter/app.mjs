/** The resources with Hono and Powertools, as the documentation of both shows them: a Lambda function on DynamoDB. */
import { randomUUID } from 'node:crypto';
import { IdempotencyConfig, makeIdempotent } from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { Logger } from '@aws-lambda-powertools/logger';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { cors } from 'hono/cors';
import { etag } from 'hono/etag';
import { secureHeaders } from 'hono/secure-headers';
import { z } from 'zod';

const logger = new Logger({ serviceName: 'starter', logLevel: 'ERROR' });
const db = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const text = z.string().optional();
const SHAPES = {
  members: z.object({ username: z.string(), name: text, email: text, age: z.int().min(0).optional() }),
  customers: z.object({
    name: z.string(),
    email: text,
    address: z.object({ street: text, city: text }).optional(),
  }),
  orders: z.object({
    productId: z.int(),
    quantity: z.int().min(1).default(1),
    orderValue: z.number().min(0).optional(),
    customerId: text,
  }),
  products: z.object({
    name: z.string(),
    category: text,
    price: z.number().min(0).optional(),
    sku: z.string().max(40).optional(),
    tags: z.array(z.string()).optional(),
  }),
};

const app = new Hono();
app.use(secureHeaders(), cors({ origin: '*', exposeHeaders: ['ETag', 'Location'] }), etag());
app.onError((error, c) => {
  if ('getResponse' in error) return error.getResponse();
  logger.error('failed', error);
  return c.json({ message: 'Internal Server Error' }, 500);
});
app.notFound((c) => c.json({ message: 'Not Found' }, 404));

for (const [TableName, shape] of Object.entries(SHAPES)) {
  const find = async (id) => (await db.send(new GetCommand({ TableName, Key: { id } }))).Item;
  const save = (Item) => db.send(new PutCommand({ TableName, Item }));
  app.get(`/${TableName}`, async (c) => {
    const { limit, after } = c.req.query();
    const Limit = Math.min(Number(limit) || 100, 1000);
    const ExclusiveStartKey = after && { id: after };
    const page = await db.send(new ScanCommand({ TableName, Limit, ...(after && { ExclusiveStartKey }) }));
    return c.json({ items: page.Items, next: page.LastEvaluatedKey?.id });
  });
  app.post(`/${TableName}`, zValidator('json', shape), async (c) => {
    const item = { id: randomUUID(), ...c.req.valid('json') };
    await save(item);
    return c.json(item, 201, { Location: `/${TableName}/${item.id}` });
  });
  app.get(`/${TableName}/:id`, async (c) => {
    const item = await find(c.req.param('id'));
    return item ? c.json(item) : c.notFound();
  });
  for (const [method, input] of [
    ['put', shape],
    ['patch', shape.partial()],
  ])
    app[method](`/${TableName}/:id`, zValidator('json', input), async (c) => {
      const old = await find(c.req.param('id'));
      if (!old) return c.notFound();
      const item = { ...(method === 'patch' && old), ...c.req.valid('json'), id: old.id };
      await save(item);
      return c.json(item);
    });
  app.delete(`/${TableName}/:id`, async (c) => {
    const Key = { id: c.req.param('id') };
    const { Attributes } = await db.send(new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }));
    return Attributes ? c.body(null, 204) : c.notFound();
  });
}

const config = new IdempotencyConfig({ eventKeyJmesPath: 'headers."idempotency-key"' });
const persistenceStore = new DynamoDBPersistenceLayer({ tableName: 'idempotency' });
const serve = handle(app);
const repeatable = makeIdempotent(serve, { persistenceStore, config });
export const handler = (event, context) =>
  event.headers['idempotency-key'] ? repeatable(event, context) : serve(event, context);
