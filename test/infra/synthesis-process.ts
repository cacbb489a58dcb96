import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Request } from './cdk.ts';

/**
 * A process that synthesizes for all test files of a run, so that the CDK is loaded once. The test file posts a request
 * and gets the template, or 422 with the message of the error. The process prints its port, and ends with its input.
 */
const answers = new Map<string, Promise<readonly [status: number, body: string]>>();

async function answerOf(body: string): Promise<readonly [number, string]> {
  // The CDK takes a second to load, so only a synthesis loads it.
  const { synthesizeStack } = await import('./cdk.ts');
  try {
    return [200, JSON.stringify(await synthesizeStack(JSON.parse(body) as Request))];
  } catch (error) {
    return [422, error instanceof Error ? error.message : String(error)];
  }
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  if (!answers.has(body)) answers.set(body, answerOf(body));
  const [status, answer] = await (answers.get(body) as ReturnType<typeof answerOf>);
  // A synthesis blocks the process for longer than a client trusts an idle connection.
  response.writeHead(status, { Connection: 'close' }).end(answer);
});
server.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
  // The CDK repeats the warnings of each synthesis, which the answer has.
  process.stderr.write = () => true;
});
process.stdin.on('end', () => process.exit()).resume();
