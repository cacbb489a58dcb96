import { list, patch, read, stub } from './data.mjs';

/** A handler without a framework, as the baseline. */
const json = (body) => ({
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
  isBase64Encoded: false,
});

stub();
export const handler = async (event) => {
  if (event.resource === '/members') return json({ items: await list() });
  const id = Number(event.pathParameters.id);
  if (event.httpMethod === 'GET') return json(await read(id));
  return json(await patch(id, 1, JSON.parse(Buffer.from(event.body, 'base64').toString())));
};
