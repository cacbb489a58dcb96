import { Router } from '@aws-lambda-powertools/event-handler/http';
import { list, patch, read, stub } from './data.mjs';

stub();
const app = new Router();
app.get('/members', async () => ({ items: await list() }));
app.get('/members/:id', async ({ params }) => read(Number(params.id)));
app.patch('/members/:id', async ({ params, req }) => patch(Number(params.id), 1, await req.json()));
export const handler = (event, context) => app.resolve(event, context);
