import { Hono } from 'hono';
import { handle } from 'hono/aws-lambda';
import { list, patch, read, stub } from './data.mjs';

stub();
const app = new Hono();
app.get('/members', async (c) => c.json({ items: await list() }));
app.get('/members/:id', async (c) => c.json(await read(Number(c.req.param('id')))));
app.patch('/members/:id', async (c) => c.json(await patch(Number(c.req.param('id')), 1, await c.req.json())));
export const handler = handle(app);
