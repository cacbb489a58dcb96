import awsLambdaFastify from '@fastify/aws-lambda';
import Fastify from 'fastify';
import { list, patch, read, stub } from './data.mjs';

stub();
const app = Fastify();
app.addContentTypeParser('application/merge-patch+json', { parseAs: 'string' }, (_request, body, done) =>
  done(null, JSON.parse(body)),
);
app.get('/members', async () => ({ items: await list() }));
app.get('/members/:id', async ({ params }) => read(Number(params.id)));
app.patch('/members/:id', async ({ params, body }) => patch(Number(params.id), 1, body));
export const handler = awsLambdaFastify(app);
