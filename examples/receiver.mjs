// Receives webhooks of the service, verifies their signatures, and prints each event once.
// npm install standardwebhooks, then: WEBHOOK_SECRET=whsec_… PORT=8080 node receiver.mjs
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
/** The ids of events that have arrived. A real receiver stores them together with the effect of the event. */
const known = new Set();

const server = createServer(async (request, response) => {
  let content = '';
  for await (const part of request.setEncoding('utf8')) content += part;
  try {
    // Throws if the signature is wrong, or if the message is older than five minutes.
    const event = webhook.verify(content, request.headers);
    if (!known.has(event.id)) console.log(event.type, event.subject, JSON.stringify(event.data));
    known.add(event.id);
    // Respond within 10 s, and work later. Another status makes the service send the event again.
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(400).end(`${error.message}\n`);
  }
});
server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () =>
  console.log(`Listening on http://127.0.0.1:${server.address().port}`),
);
